import Testing

@testable import Kafka

@Suite struct `The phase of a group` {
    private func phase(after states: [(String, String)]) -> GroupPhase {
        var phase = GroupPhase()
        for (old, new) in states {
            phase.note(
                KafkaLog(
                    level: 7, facility: "CGRPJOINSTATE",
                    message: "Group \"a -> b\" changed join state \(old) -> \(new) (state up)"))
        }
        return phase
    }

    @Test(arguments: ["init", "wait-join", "wait-metadata", "wait-sync"])
    func `is joining from the request to join to the assignment`(state: String) {
        #expect(phase(after: [("steady", state)]).isJoining)
    }

    @Test(arguments: ["wait-assign-call", "wait-unassign-call", "steady"])
    func `ends with the assignment`(state: String) {
        #expect(!phase(after: [("steady", "wait-join"), ("wait-sync", state)]).isJoining)
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
        #expect(phase.isJoining)
    }
}
