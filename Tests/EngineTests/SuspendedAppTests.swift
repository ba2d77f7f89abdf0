import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

/// A desk of two apps, shop and pay.
private func twoApps(
    sharingCredential: Bool = false, tweak: (inout EngineSettings) -> Void = { _ in }
) throws -> EngineDesk {
    let desk = try EngineDesk(plan: Samples.twoAppsPlan()) {
        $0.apps = Samples.twoApps
        if sharingCredential { $0.apps[1].route = 0 }
        $0.maxInFlight = 4
        $0.maxWaiting = 8
        tweak(&$0)
    }
    desk.assign(0)
    desk.assign(1)
    return desk
}

extension EngineDesk {
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
        let desk = try twoApps { $0.maxInFlight = 1000 }
        for offset in 0..<40 { desk.push(to: "shop", offset: Int64(offset)) }
        for offset in 0..<40 { desk.push(to: "pay", offset: Int64(offset)) }
        let apps = desk.sendAll().map(desk.app)
        #expect(apps.prefix(48).filter { $0 == "shop" }.count == 32)
        #expect(apps.prefix(16).allSatisfy { $0 == "shop" })
        #expect(apps.dropFirst(16).prefix(16).allSatisfy { $0 == "pay" })
        #expect(apps.count == 80)
    }

    @Test func `leave each other room, however many pushes wait to be sent`() throws {
        let desk = try twoApps {
            $0.maxInFlight = 1000
            $0.maxQueued = 4
        }
        for offset in 0..<20 { desk.push(to: "shop", offset: Int64(offset)) }
        #expect(desk.engine.takeLimit(taken: 0) == 4)
        for offset in 0..<4 { desk.push(to: "pay", offset: Int64(offset)) }
        #expect(desk.engine.takeLimit(taken: 0) == 0)
        #expect(desk.engine.state.pushesToSend == 24)
    }

    @Test func `do not wait for each other's connections`() throws {
        let desk = try twoApps()
        desk.push(to: "shop", offset: 0)
        desk.push(to: "pay", offset: 0)
        let next = desk.nextToSend()
        desk.engine.foundNoRoom(for: try #require(next))
        #expect(desk.sendAll().map(desk.app) == ["pay"])
        desk.engine.startSending()
        #expect(desk.sendAll().map(desk.app) == ["shop"])
    }

    @Test func `do not wait for each other's credential`() throws {
        let desk = try twoApps()
        desk.push(to: "shop", offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        desk.push(to: "shop", offset: 1)
        desk.push(to: "pay", offset: 0)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
    }

    @Test func `wait together for a credential that they share`() throws {
        let desk = try twoApps(sharingCredential: true)
        desk.push(to: "shop", offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        desk.push(to: "pay", offset: 0)
        #expect(desk.send() == nil)
        #expect(desk.engine.notices.first?.suspension?.apps == ["shop", "pay"])
    }

    @Test(arguments: [(400, "TopicDisallowed"), (403, "TopicMismatch")])
    func `do not wait for each other if APNs rejects only one app`(status: Int, reason: String)
        throws
    {
        let desk = try twoApps(sharingCredential: true)
        desk.push(to: "shop", offset: 0)
        try desk.sendAndAnswer(status, reason)
        desk.push(to: "pay", offset: 0)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
        let suspension = try #require(desk.engine.notices.first?.suspension)
        #expect(suspension.apps == ["shop"] && suspension.bundleIDs == ["com.example.shop"])
        #expect(suspension.credential == "key SHOP")
    }

    @Test func `are suspended separately if APNs closes a connection over a credential`() throws {
        let desk = try twoApps()
        desk.push(to: "shop", offset: 0)
        desk.push(to: "pay", offset: 0)
        desk.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        desk.engine.credentialRefused(route: 1, reason: "BadCertificateEnvironment")
        #expect(desk.sendAll().map(desk.app) == ["shop"])
        #expect(desk.engine.notices.count == 1)
        desk.pass(milliseconds: 1000)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
    }
}

@Suite struct `A suspended app beside another one` {
    /// Shop is suspended, with so many more records.
    private func suspended(
        _ count: Int, in partition: Int? = nil, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try twoApps(tweak: tweak)
        desk.push(to: "shop", offset: 0, in: partition)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        for offset in 0..<count { desk.push(to: "shop", offset: Int64(offset + 1), in: partition) }
        return desk
    }

    @Test func `takes up no room in the window`() throws {
        let desk = try suspended(4)
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 5)
        #expect(desk.flowChange() == nil)
    }

    @Test func `moves its queued records out of the window`() throws {
        let desk = try twoApps()
        for offset in 0..<4 { desk.push(to: "shop", offset: Int64(offset)) }
        #expect(desk.engine.window.records == 4)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
    }

    @Test func `pauses its own partition when its room is full, with a warning`() throws {
        let desk = try suspended(5)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        guard case .pausedForApp("shop", let place, _) = desk.engine.notices.last else {
            Issue.record("no warning")
            return
        }
        #expect(place.partition == 0)
        desk.push(to: "pay", offset: 0)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
    }

    @Test func `pauses no partition of an app that is stalled meanwhile`() throws {
        let desk = try suspended(6)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        for offset in 0..<4 { desk.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        #expect(desk.flowChange() == nil)
        #expect(desk.engine.window.records == 4)
        #expect(desk.engine.notices.count == 2)
        var pushes: [PushID] = []
        while let push = desk.send() { pushes.append(push) }
        #expect(pushes.map(desk.app).filter { $0 == "pay" }.count == 4)
    }

    @Test func `pauses no partition of a working app when it resumes`() throws {
        let desk = try suspended(6)
        _ = desk.flowChange()
        for offset in 0..<2 { desk.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        let pushes = desk.sendAll()
        for push in pushes where desk.app(push) == "pay" { desk.answer(push, 200) }
        let probe = try #require(pushes.first { desk.app($0) == "shop" })
        desk.answer(probe, 200)
        desk.push(to: "pay", offset: 2)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        #expect(desk.engine.window.records >= 1)
        #expect(desk.engine.notices.map(\.name) == ["suspended", "pausedForApp", "resumed"])
    }

    @Test func `leaves the other one room for records when it resumes`() throws {
        let desk = try suspended(5) { $0.maxQueued = 2 }
        #expect(desk.engine.takeLimit(taken: 0) == 4)
        desk.pass(milliseconds: 60_000)
        let probe = try #require(desk.send())
        desk.answer(probe, 200)
        #expect(desk.engine.isAnyAppSuspended == false)
        #expect(desk.engine.state.pushesToSend == 5)
        #expect(desk.engine.takeLimit(taken: 0) == 2)
    }

    @Test func `lets a stalled app move out of the window when it resumes`() throws {
        let desk = try suspended(0)
        for offset in 0..<4 { desk.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        #expect(desk.engine.window.records == 4)
        let next = desk.nextToSend()
        if let next, desk.app(next) == "pay" { desk.engine.foundNoRoom(for: next) }
        let probe = try #require(desk.send())
        #expect(desk.app(probe) == "shop")
        desk.answer(probe, 200)
        desk.settle()
        desk.pass(milliseconds: 1000)
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
    }

    @Test func `leaves room for retries of the other app`() throws {
        let desk = try suspended(12)
        #expect(desk.engine.waitingWindow.records == 7)
        desk.push(to: "pay", offset: 0)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.engine.waitingWindow.records == 8)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
    }

    @Test func `has only the room that another one leaves, and both resume in the end`() throws {
        let desk = try suspended(5)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        desk.push(to: "pay", offset: 0)
        try desk.sendAndAnswer(403, "Forbidden")
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        let notice = desk.engine.notices.last { $0.name == "pausedForApp" }
        guard case .pausedForApp("pay", _, let waiting) = notice else {
            Issue.record("no warning")
            return
        }
        #expect(waiting.stalledApps == ["shop", "pay"])
        desk.pass(milliseconds: 1000)
        for push in desk.sendAll() {
            if desk.app(push) == "shop" { desk.answer(push, 200) }
        }
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for push in desk.sendAll() { desk.answer(push, 200) }
        #expect(desk.settle().outcomes.count == 6)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(1)]))
        #expect(desk.engine.waitingWindow.records == 1)
    }

    @Test func `pauses a shared partition once`() throws {
        let desk = try suspended(6, in: 1)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        #expect(desk.engine.notices.count == 2)
    }

    @Test func `resumes its partition when it resumes, and loses nothing`() throws {
        let desk = try suspended(6)
        _ = desk.flowChange()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for push in desk.sendAll() { desk.answer(push, 200) }
        #expect(desk.settle().outcomes.count == 7)
        #expect(desk.next() == 7)
        #expect(desk.engine.waitingWindow.records == 0 && desk.engine.waitingWindow.bytes == 0)
        #expect(desk.engine.window.records == 0 && desk.engine.window.bytes == 0)
    }

    @Test func `abandons its waiting records, uncommitted, when its partition is revoked`() throws {
        let desk = try suspended(6)
        desk.engine.revoking([AssignmentID(0)])
        #expect(desk.openRecords == 0)
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.next() == 0)
    }

    @Test func `resumes its partition when nothing is left to probe with`() throws {
        let soon = EngineDesk.start / 1000 + 3
        let desk = try twoApps()
        for offset in 0..<7 {
            desk.push(to: "shop", offset: Int64(offset), more: #","expiration":\#(soon)"#)
            if offset == 0 { try desk.sendAndAnswer(403, "InvalidProviderToken") }
        }
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        desk.settle()
        #expect(desk.openRecords == 0)
        for _ in 0..<2 { desk.pass(milliseconds: 1000) }
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
    }

    @Test func `keeps the order of pushes for a device`() throws {
        let desk = try twoApps { $0.ordering = .device }
        func push(_ offset: Int64) {
            desk.push("ab01", offset: offset, more: #","bundle_id":"com.example.shop""#)
        }
        push(0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        for offset in 1..<4 { push(Int64(offset)) }
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
        desk.pass(milliseconds: 1000)
        var offsets: [Int64] = []
        while let push = desk.send() {
            offsets.append(desk.offset(push))
            desk.answer(push, 200)
        }
        #expect(offsets == [0, 1, 2, 3])
    }

    @Test func `leaves the window like an app that could not send for two seconds`() throws {
        let desk = try twoApps()
        for offset in 0..<4 { desk.push(to: "shop", offset: Int64(offset)) }
        desk.pass(milliseconds: 1000)
        #expect(desk.engine.window.records == 4)
        desk.pass(milliseconds: 1000)
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
        #expect(desk.sendAll().count == 4)
        desk.pass(milliseconds: 1000)
        desk.push(to: "shop", offset: 4)
        #expect(desk.engine.window.records == 1)
    }

    @Test func `keeps no pushes withheld by the guard in the window`() throws {
        let desk = try twoApps { $0.invalidation = GuardSettings(share: 0.5, minimum: 2) }
        for offset in 0..<4 { desk.push(to: "shop", offset: Int64(offset)) }
        for push in desk.sendAll() { desk.answer(push, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
        desk.engine.releaseGuards()
        #expect(desk.settle().unregistered.count == 4)
        #expect(desk.engine.waitingWindow.records == 0)
    }
}
