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
    /// Hands the worker an event of an app; the first partition is shop's, the second one pay's.
    fileprivate func push(
        to app: String, offset: Int64, in partition: Int? = nil, more: String = ""
    ) {
        let id = partition ?? (app == "shop" ? 0 : 1)
        push(
            "ab\(10 + offset % 90)", offset: offset, of: AssignmentID(id),
            more: #","bundle_id":"com.example.\#(app)""# + more)
    }

    fileprivate func app(_ place: PushID) -> String {
        engine.settings.apps[prepared(place).app].name
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

    @Test func `wait together for the credential that they share`() throws {
        let desk = try twoApps(sharingCredential: true)
        desk.push(to: "shop", offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        desk.push(to: "pay", offset: 0)
        #expect(desk.send() == nil)
        let notice = try #require(desk.engine.notices.first)
        #expect(notice["apps"] == "shop pay")
    }

    @Test(arguments: [(400, "TopicDisallowed"), (403, "TopicMismatch")])
    func `do not wait for an app that alone is refused`(status: Int, reason: String) throws {
        let desk = try twoApps(sharingCredential: true)
        desk.push(to: "shop", offset: 0)
        try desk.sendAndAnswer(status, reason)
        desk.push(to: "pay", offset: 0)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
        let notice = try #require(desk.engine.notices.first)
        #expect(notice["apps"] == "shop")
        #expect(notice["bundle_id"] == "com.example.shop")
        #expect(notice["credential"] == "key SHOP")
    }

    @Test func `are held by a connection that Apple closes because of the credential`() throws {
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

@Suite struct `A held app in a worker of two` {
    /// Shop is held, with so many records more.
    private func held(
        _ count: Int, in partition: Int? = nil, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try twoApps(tweak: tweak)
        desk.push(to: "shop", offset: 0, in: partition)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        for offset in 0..<count { desk.push(to: "shop", offset: Int64(offset + 1), in: partition) }
        return desk
    }

    @Test func `takes no place in the window`() throws {
        let desk = try held(4)
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.waitingWindow.records == 5)
        #expect(desk.flowChange() == nil)
    }

    @Test func `takes what is ready when it stops out of the window`() throws {
        let desk = try twoApps()
        for offset in 0..<4 { desk.push(to: "shop", offset: Int64(offset)) }
        #expect(desk.engine.window.records == 4)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
    }

    @Test func `pauses its own partition past its room, with a line that names it`() throws {
        let desk = try held(5)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        let notice = try #require(desk.engine.notices.last)
        #expect(notice.level == .warning)
        #expect(notice["app"] == "shop")
        #expect(notice["partition"] == "0")
        desk.push(to: "pay", offset: 0)
        #expect(desk.sendAll().map(desk.app) == ["pay"])
    }

    @Test func `pauses nobody whom Apple does not answer meanwhile`() throws {
        let desk = try held(6)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        for offset in 0..<4 { desk.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        #expect(desk.flowChange() == nil)
        #expect(desk.engine.window.records == 4)
        #expect(desk.engine.notices.count == 2)
        var places: [PushID] = []
        while let place = desk.send() { places.append(place) }
        #expect(places.map(desk.app).filter { $0 == "pay" }.count == 4)
    }

    @Test func `pauses nobody who has just been answered when it is free again`() throws {
        let desk = try held(6)
        _ = desk.flowChange()
        for offset in 0..<2 { desk.push(to: "pay", offset: Int64(offset)) }
        for _ in 0..<5 { desk.pass(milliseconds: 1000) }
        let places = desk.sendAll()
        for place in places where desk.app(place) == "pay" { desk.answer(place, 200) }
        let probe = try #require(places.first { desk.app($0) == "shop" })
        desk.answer(probe, 200)
        desk.push(to: "pay", offset: 2)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        #expect(desk.engine.window.records >= 1)
        #expect(desk.engine.notices.map(\.level) == [.error, .warning, .info])
    }

    @Test func `makes room beside one that nobody answers when it is free again`() throws {
        let desk = try held(0)
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

    @Test func `leaves room for the retries of others`() throws {
        let desk = try held(12)
        #expect(desk.engine.waitingWindow.records == 7)
        desk.push(to: "pay", offset: 0)
        desk.answer(try #require(desk.send()), 503, "ServiceUnavailable", retryAfter: 60)
        #expect(desk.engine.waitingWindow.records == 8)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
    }

    @Test func `finds only the room that another held app has left, and both go on in the end`()
        throws
    {
        let desk = try held(5)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(0)]))
        desk.push(to: "pay", offset: 0)
        try desk.sendAndAnswer(403, "Forbidden")
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        let notice = try #require(desk.engine.notices.last { $0.level == .warning })
        #expect(notice["app"] == "pay")
        #expect(notice["stalled_apps"] == "shop pay")
        desk.pass(milliseconds: 1000)
        for place in desk.sendAll() {
            if desk.app(place) == "shop" { desk.answer(place, 200) }
        }
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for place in desk.sendAll() { desk.answer(place, 200) }
        #expect(desk.settle().outcomes.count == 6)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(1)]))
        #expect(desk.engine.waitingWindow.records == 1)
    }

    @Test func `pauses a partition that it shares, once`() throws {
        let desk = try held(6, in: 1)
        #expect(desk.flowChange() == FlowChange(pause: [AssignmentID(1)]))
        #expect(desk.engine.notices.count == 2)
    }

    @Test func `lets its partition flow when it is free again, and loses nothing`() throws {
        let desk = try held(6)
        _ = desk.flowChange()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]))
        for place in desk.sendAll() { desk.answer(place, 200) }
        #expect(desk.settle().outcomes.count == 7)
        #expect(desk.next() == 7)
        #expect(desk.engine.waitingWindow.records == 0 && desk.engine.waitingWindow.bytes == 0)
        #expect(desk.engine.window.records == 0 && desk.engine.window.bytes == 0)
    }

    @Test func `lets what is parked go, uncommitted, when its partition goes`() throws {
        let desk = try held(6)
        desk.engine.revoking([AssignmentID(0)])
        #expect(desk.openRecords == 0)
        #expect(desk.engine.waitingWindow.records == 0)
        #expect(desk.next() == 0)
    }

    @Test func `lets its partition flow when nothing is left to probe with`() throws {
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

    @Test func `keeps its order for a device`() throws {
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
        while let place = desk.send() {
            offsets.append(desk.offset(place))
            desk.answer(place, 200)
        }
        #expect(offsets == [0, 1, 2, 3])
    }

    @Test func `is one that nobody has taken pushes of for two seconds, too`() throws {
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

    @Test func `keeps no verdict of the guard's in the window`() throws {
        let desk = try twoApps { $0.invalidation = GuardSettings(share: 0.5, minimum: 2) }
        for offset in 0..<4 { desk.push(to: "shop", offset: Int64(offset)) }
        for place in desk.sendAll() { desk.answer(place, 410, "Unregistered") }
        #expect(desk.publish().isEmpty)
        #expect(desk.engine.window.records == 0 && desk.engine.waitingWindow.records == 4)
        desk.engine.releaseGuards()
        #expect(desk.settle().unregistered.count == 4)
        #expect(desk.engine.waitingWindow.records == 0)
    }
}
