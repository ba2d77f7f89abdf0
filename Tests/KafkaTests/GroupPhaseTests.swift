import Testing

@testable import Kafka

@Suite struct `The phase of a group` {
    private func phase(after states: [(String, String)]) -> GroupPhase {
        var phase = GroupPhase()
        for (old, new) in states { note(new, after: old, in: &phase) }
        return phase
    }

    private func note(_ new: String, after old: String = "steady", in phase: inout GroupPhase) {
        phase.note(
            KafkaLog(
                level: 7, facility: "CGRPJOINSTATE",
                message: "Group \"a -> b\" changed join state \(old) -> \(new) (state up)"))
    }

    @Test(arguments: ["init", "wait-join", "wait-metadata", "wait-sync"])
    func `is joining from the request to join to the assignment`(state: String) {
        #expect(phase(after: [("steady", state)]).isJoining(at: 0))
    }

    @Test(arguments: ["wait-assign-call", "wait-unassign-call", "steady"])
    func `ends with the assignment`(state: String) {
        #expect(!phase(after: [("steady", "wait-join"), ("wait-sync", state)]).isJoining(at: 0))
    }

    @Test func `is joining once the last revoked partition is given up, until it has joined`() {
        var phase = phase(after: [("steady", "wait-unassign-call")])
        phase.willRejoin(at: 5000)
        let lines = ["wait-incr-unassign-to-complete", "wait-assign-call", "steady"]
        for state in lines { note(state, in: &phase) }
        #expect(phase.isJoining(at: 5000) == GroupPhase.isNeeded)
        for state in ["init", "wait-join", "wait-sync"] { note(state, in: &phase) }
        #expect(phase.isJoining(at: 5000))
        note("steady", in: &phase)
        #expect(!phase.isJoining(at: 5000))
    }

    @Test func `is not joining for ever if the library does not rejoin`() {
        var phase = phase(after: [("steady", "wait-unassign-call")])
        phase.willRejoin(at: 5000)
        #expect(!phase.isJoining(at: 6000))
    }

    @Test func `is not joining while no topic matches, until one does`() {
        var phase = phase(after: [("init", "wait-metadata"), ("wait-metadata", "init")])
        let message = "Group \"group\": no matching topics based on 0ms old metadata"
        phase.note(KafkaLog(level: 7, facility: "JOIN", message: message))
        #expect(!phase.isJoining(at: 0))
        note("wait-join", after: "init", in: &phase)
        #expect(phase.isJoining(at: 0))
    }

    @Test func `is not joining after the last topic that matched is gone`() {
        var phase = phase(after: [("steady", "wait-unassign-call")])
        phase.willRejoin(at: 5000)
        for state in ["wait-unassign-to-complete", "init"] { note(state, in: &phase) }
        let message = "Group \"group\": no matching topics based on 12ms old metadata"
        phase.note(KafkaLog(level: 7, facility: "JOIN", message: message))
        #expect(!phase.isJoining(at: 5000))
    }

    @Test func `allows destruction while it waits for metadata before its first join`() {
        #expect(!phase(after: [("init", "wait-metadata")]).isUndestroyable)
    }

    @Test func `does not allow destruction between the first join and the first assignment`() {
        #expect(!phase(after: [("init", "wait-join")]).isUndestroyable)
        #expect(phase(after: [("wait-join", "wait-metadata")]).isUndestroyable)
        #expect(phase(after: [("wait-join", "wait-sync"), ("wait-sync", "init")]).isUndestroyable)
        let assigned = [("wait-join", "wait-sync"), ("wait-sync", "wait-assign-call")]
        #expect(!phase(after: assigned).isUndestroyable)
        #expect(!phase(after: assigned + [("wait-join", "wait-sync")]).isUndestroyable)
    }

    @Test func `is not changed by other log lines`() {
        var phase = phase(after: [("steady", "wait-join")])
        phase.note(KafkaLog(level: 7, facility: "HEARTBEAT", message: "x -> steady"))
        phase.note(KafkaLog(level: 7, facility: "CGRPJOINSTATE", message: "nonsense"))
        #expect(phase.isJoining(at: 0))
    }
}
