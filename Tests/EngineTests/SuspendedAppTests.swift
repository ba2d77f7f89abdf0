import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

/// A harness of two apps, shop and pay.
private func twoApps(
    sharingCredential: Bool = false, tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineHarness {
    let harness = try EngineHarness(plan: Samples.twoAppsPlan()) {
        $0.apps = Samples.twoApps
        if sharingCredential { $0.apps[1].route = 0 }
        $0.maxInFlight = 4
        $0.maxWaiting = 8
        tweak(&$0)
    }
    harness.assign(0)
    harness.assign(1)
    return harness
}

extension EngineHarness {
    /// Hands the worker an event of an app: partition 0 is shop's, partition 1 is pay's.
    fileprivate func push(
        to app: String, offset: Int64, in partition: Int? = nil, more: String = ""
    ) {
        let id = partition ?? (app == "shop" ? 0 : 1)
        push(
            "ab\(10 + offset % 90)", offset: offset, of: AssignmentID(id),
            more: #","bundle_id":"com.example.\#(app)""# + more)
    }

    fileprivate func app(_ push: PushID) -> String {
        engine.settings.apps[prepared(push).app].name
    }
}

@Suite struct `Two apps of one worker` {
    @Test func `take turns`() throws {
        let harness = try twoApps { $0.maxInFlight = 1000 }
        for offset in 0..<40 { harness.push(to: "shop", offset: Int64(offset)) }
        for offset in 0..<40 { harness.push(to: "pay", offset: Int64(offset)) }
        let apps = harness.sendAll().map(harness.app)
        #expect(apps.prefix(48).filter { $0 == "shop" }.count == 32)
        #expect(apps.prefix(16).allSatisfy { $0 == "shop" })
        #expect(apps.dropFirst(16).prefix(16).allSatisfy { $0 == "pay" })
        #expect(apps.count == 80)
    }

    @Test func `leave each other room, however many pushes wait to be sent`() throws {
        let harness = try twoApps {
            $0.maxInFlight = 1000
            $0.maxQueued = 4
        }
        for offset in 0..<20 { harness.push(to: "shop", offset: Int64(offset)) }
        #expect(harness.engine.takeLimit(taken: 0) == 4)
        for offset in 0..<4 { harness.push(to: "pay", offset: Int64(offset)) }
        #expect(harness.engine.takeLimit(taken: 0) == 0)
        #expect(harness.engine.state.pushesToSend == 24)
    }

    @Test func `do not wait for each other's connections`() throws {
        let harness = try twoApps()
        harness.push(to: "shop", offset: 0)
        harness.push(to: "pay", offset: 0)
        let next = harness.nextToSend()
        harness.engine.foundNoRoom(for: try #require(next))
        #expect(harness.sendAll().map(harness.app) == ["pay"])
        harness.engine.startSending()
        #expect(harness.sendAll().map(harness.app) == ["shop"])
    }

    @Test func `do not wait for each other's credential`() throws {
        let harness = try twoApps()
        harness.push(to: "shop", offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        harness.push(to: "shop", offset: 1)
        harness.push(to: "pay", offset: 0)
        #expect(harness.sendAll().map(harness.app) == ["pay"])
    }

    @Test func `wait together for a credential that they share`() throws {
        let harness = try twoApps(sharingCredential: true)
        harness.push(to: "shop", offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        harness.push(to: "pay", offset: 0)
        #expect(harness.send() == nil)
        #expect(harness.engine.notices.first?.suspension?.apps == ["shop", "pay"])
    }

    @Test(arguments: [(400, "TopicDisallowed"), (403, "TopicMismatch")])
    func `do not wait for each other if APNs rejects only one app`(status: Int, reason: String)
        throws
    {
        let harness = try twoApps(sharingCredential: true)
        harness.push(to: "shop", offset: 0)
        try harness.sendAndRespond(status, reason)
        harness.push(to: "pay", offset: 0)
        #expect(harness.sendAll().map(harness.app) == ["pay"])
        let suspension = try #require(harness.engine.notices.first?.suspension)
        #expect(suspension.apps == ["shop"] && suspension.bundleIDs == ["com.example.shop"])
        #expect(suspension.credential == "key SHOP")
    }

    @Test func `are suspended separately if APNs closes a connection over a credential`() throws {
        let harness = try twoApps()
        harness.push(to: "shop", offset: 0)
        harness.push(to: "pay", offset: 0)
        harness.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        harness.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        #expect(harness.sendAll().map(harness.app) == ["shop"])
        #expect(harness.engine.notices.count == 1)
        harness.pass(milliseconds: 1000)
        #expect(harness.sendAll().map(harness.app) == ["pay"])
    }
}

@Suite struct `A suspended app beside another one` {
    /// Shop is suspended, with so many more records.
    private func suspended(
        _ count: Int, in partition: Int? = nil, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try twoApps(tweak: tweak)
        harness.push(to: "shop", offset: 0, in: partition)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        for offset in 0..<count {
            harness.push(to: "shop", offset: Int64(offset + 1), in: partition)
        }
        return harness
    }

    @Test func `takes up no room in the window`() throws {
        let harness = try suspended(4)
        #expect(harness.recordsInFlight == 0)
        #expect(harness.waitingRecords == 5)
        #expect(harness.flowChange() == nil)
    }

    @Test func `moves its queued records out of the window`() throws {
        let harness = try twoApps()
        for offset in 0..<4 { harness.push(to: "shop", offset: Int64(offset)) }
        #expect(harness.recordsInFlight == 4)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(harness.recordsInFlight == 0 && harness.waitingRecords == 4)
    }

    @Test func `pauses its own partition when its room is full, with a warning`() throws {
        let harness = try suspended(5)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        guard case .pausedForApp("shop", let position, _) = harness.engine.notices.last else {
            Issue.record("no warning")
            return
        }
        #expect(position.partition == 0)
        harness.push(to: "pay", offset: 0)
        #expect(harness.sendAll().map(harness.app) == ["pay"])
    }

    @Test func `pauses no partition of an app that is stalled meanwhile`() throws {
        let harness = try suspended(6)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        for offset in 0..<4 { harness.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { harness.pass(milliseconds: 1000) }
        #expect(harness.flowChange() == nil)
        #expect(harness.recordsInFlight == 4)
        #expect(harness.engine.notices.count == 2)
        var pushes: [PushID] = []
        while let push = harness.send() { pushes.append(push) }
        #expect(pushes.map(harness.app).filter { $0 == "pay" }.count == 4)
    }

    @Test func `pauses no partition of a working app when it resumes`() throws {
        let harness = try suspended(6)
        _ = harness.flowChange()
        for offset in 0..<2 { harness.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { harness.pass(milliseconds: 1000) }
        let pushes = harness.sendAll()
        for push in pushes where harness.app(push) == "pay" { harness.respond(push, 200) }
        let probe = try #require(pushes.first { harness.app($0) == "shop" })
        harness.respond(probe, 200)
        harness.push(to: "pay", offset: 2)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        #expect(harness.recordsInFlight >= 1)
        #expect(harness.engine.notices.map(\.name) == ["suspended", "pausedForApp", "resumed"])
    }

    @Test func `leaves the other one room for records when it resumes`() throws {
        let harness = try suspended(5) { $0.maxQueued = 2 }
        #expect(harness.engine.takeLimit(taken: 0) == 4)
        harness.pass(milliseconds: 60_000)
        let probe = try #require(harness.send())
        harness.respond(probe, 200)
        #expect(harness.engine.isAnyAppSuspended == false)
        #expect(harness.engine.state.pushesToSend == 5)
        #expect(harness.engine.takeLimit(taken: 0) == 2)
    }

    @Test func `lets a stalled app move out of the window when it resumes`() throws {
        let harness = try suspended(0)
        for offset in 0..<4 { harness.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { harness.pass(milliseconds: 1000) }
        #expect(harness.recordsInFlight == 4)
        let next = harness.nextToSend()
        if let next, harness.app(next) == "pay" { harness.engine.foundNoRoom(for: next) }
        let probe = try #require(harness.send())
        #expect(harness.app(probe) == "shop")
        harness.respond(probe, 200)
        harness.settle()
        harness.pass(milliseconds: 1000)
        #expect(harness.recordsInFlight == 0 && harness.waitingRecords == 4)
    }

    @Test func `leaves room for retries of the other app`() throws {
        let harness = try suspended(12)
        #expect(harness.waitingRecords == 7)
        harness.push(to: "pay", offset: 0)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        #expect(harness.waitingRecords == 8)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
    }

    @Test func `has only the room that another one leaves, and both resume in the end`() throws {
        let harness = try suspended(5)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        harness.push(to: "pay", offset: 0)
        try harness.sendAndRespond(403, "Forbidden")
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        let notice = harness.engine.notices.last { $0.name == "pausedForApp" }
        guard case .pausedForApp("pay", _, let waiting) = notice else {
            Issue.record("no warning")
            return
        }
        #expect(waiting.stalledApps == ["shop", "pay"])
        harness.pass(milliseconds: 1000)
        for push in harness.sendAll() {
            if harness.app(push) == "shop" { harness.respond(push, 200) }
        }
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for push in harness.sendAll() { harness.respond(push, 200) }
        #expect(harness.settle().outcomes.count == 6)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(1)]))
        #expect(harness.waitingRecords == 1)
    }

    @Test func `pauses a shared partition once`() throws {
        let harness = try suspended(6, in: 1)
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        #expect(harness.engine.notices.count == 2)
    }

    @Test func `resumes its partition when it resumes, and loses nothing`() throws {
        let harness = try suspended(6)
        _ = harness.flowChange()
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(200)
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for push in harness.sendAll() { harness.respond(push, 200) }
        #expect(harness.settle().outcomes.count == 7)
        #expect(harness.next() == 7)
        #expect(
            harness.waitingRecords == 0 && harness.engine.intakeCell.value.waitingBytes == 0)
        #expect(harness.recordsInFlight == 0 && harness.engine.intakeCell.value.window.bytes == 0)
    }

    @Test func `abandons its waiting records, uncommitted, when its partition is revoked`() throws {
        let harness = try suspended(6)
        harness.engine.revoking([AssignmentID(0)])
        #expect(harness.openRecords == 0)
        #expect(harness.waitingRecords == 0)
        #expect(harness.next() == 0)
    }

    @Test func `resumes its partition when nothing is left to probe with`() throws {
        let soon = EngineHarness.start / 1000 + 3
        let harness = try twoApps()
        for offset in 0..<7 {
            harness.push(to: "shop", offset: Int64(offset), more: #","expiration":\#(soon)"#)
            if offset == 0 { try harness.sendAndRespond(403, "InvalidProviderToken") }
        }
        #expect(harness.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        for _ in 0..<5 { harness.pass(milliseconds: 1000) }
        harness.settle()
        #expect(harness.openRecords == 0)
        for _ in 0..<2 { harness.pass(milliseconds: 1000) }
        #expect(harness.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }

    @Test func `keeps the order of pushes for a device`() throws {
        let harness = try twoApps { $0.ordering = .device }
        func push(_ offset: Int64) {
            harness.push("ab01", offset: offset, more: #","bundle_id":"com.example.shop""#)
        }
        push(0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        for offset in 1..<4 { push(Int64(offset)) }
        #expect(harness.recordsInFlight == 0 && harness.waitingRecords == 4)
        harness.pass(milliseconds: 1000)
        var offsets: [Int64] = []
        while let push = harness.send() {
            offsets.append(harness.offset(push))
            harness.respond(push, 200)
        }
        #expect(offsets == [0, 1, 2, 3])
    }

    @Test func `leaves the window like an app that could not send for two seconds`() throws {
        let harness = try twoApps()
        for offset in 0..<4 { harness.push(to: "shop", offset: Int64(offset)) }
        harness.pass(milliseconds: 1000)
        #expect(harness.recordsInFlight == 4)
        harness.pass(milliseconds: 1000)
        #expect(harness.recordsInFlight == 0 && harness.waitingRecords == 4)
        #expect(harness.sendAll().count == 4)
        harness.pass(milliseconds: 1000)
        harness.push(to: "shop", offset: 4)
        #expect(harness.recordsInFlight == 1)
    }

    @Test func `keeps no pushes withheld by the guard in the window`() throws {
        let harness = try twoApps { $0.invalidation = GuardSettings(share: 0.5, minimum: 2) }
        for offset in 0..<4 { harness.push(to: "shop", offset: Int64(offset)) }
        for push in harness.sendAll() { harness.respond(push, 410, "Unregistered") }
        #expect(harness.publish().isEmpty)
        #expect(harness.recordsInFlight == 0 && harness.waitingRecords == 4)
        harness.engine.releaseGuards()
        #expect(harness.settle().unregistered.count == 4)
        #expect(harness.waitingRecords == 0)
    }
}
