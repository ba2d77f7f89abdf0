import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A request` {
    static func write(_ notification: borrowing Notification) -> HTTP2Request {
        var writer = RequestWriter(authority: [UInt8]("api.push.apple.com".utf8))
        writer.use(ProviderToken(bytes: [UInt8]("bearer x".utf8), issuedAt: 0))
        writer.write(notification, id: NotificationID(high: 0x1122, low: 0x3344))
        return writer.request
    }

    static func notification() -> Notification {
        var notification = Notification()
        notification.destination.identifier = [UInt8]("00ff".utf8)
        notification.bundleID = [UInt8]("com.example.shop".utf8)
        notification.payload = [UInt8]("{}".utf8)
        return notification
    }

    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `has every field of a notification`() {
        var notification = Self.notification()
        notification.collapseID = [UInt8]("order-1".utf8)
        notification.expiration = .at(seconds: 1_767_268_800)
        notification.priority = 5
        let request = Self.write(notification)
        #expect(Self.text(request.path) == "/3/device/00ff")
        #expect(Self.text(request.authority) == "api.push.apple.com")
        #expect(Self.text(request.authorization) == "bearer x")
        #expect(Self.text(request.identifier) == "00000000-0000-1122-0000-000000003344")
        #expect(Self.text(request.topic) == "com.example.shop")
        #expect(Self.text(request.pushType) == "alert")
        #expect(Self.text(request.priority) == "5")
        #expect(Self.text(request.expiration) == "1767268800")
        #expect(Self.text(request.collapseID) == "order-1")
    }

    @Test func `omits what the notification omits, except the priority`() {
        let request = Self.write(Self.notification())
        #expect(request.collapseID.isEmpty)
        #expect(request.expiration.isEmpty)
        #expect(Self.text(request.priority) == "10")
    }

    @Test func `omits the priority that a push to a managed device does not have`() {
        var writer = RequestWriter(authority: [])
        writer.write(Self.notification(), id: NotificationID(high: 1, low: 1))
        var push = Self.notification()
        push.pushType = .mdm
        push.priority = 0
        writer.write(push, id: NotificationID(high: 2, low: 2))
        #expect(writer.request.priority.isEmpty)
        #expect(Self.text(writer.request.pushType) == "mdm")
        writer.write(Self.notification(), id: NotificationID(high: 3, low: 3))
        #expect(Self.text(writer.request.priority) == "10")
    }

    @Test func `sends 0 for a notification that is never stored`() {
        var notification = Self.notification()
        notification.expiration = .immediate
        #expect(Self.text(Self.write(notification).expiration) == "0")
    }

    @Test(arguments: PushType.allCases)
    func `has the topic and the name of its push type`(_ pushType: PushType) {
        var notification = Self.notification()
        notification.pushType = pushType
        let request = Self.write(notification)
        #expect(Self.text(request.topic) == "com.example.shop" + pushType.topicSuffix)
        #expect(Self.text(request.pushType) == pushType.rawValue)
    }

    @Test func `contains nothing of the previous one`() {
        var writer = RequestWriter(authority: [])
        var long = Self.notification()
        long.destination.identifier = [UInt8](repeating: UInt8(ascii: "a"), count: 160)
        long.collapseID = [UInt8]("x".utf8)
        long.expiration = .immediate
        long.pushType = .liveactivity
        writer.write(long, id: NotificationID(high: 1, low: 1))
        writer.write(Self.notification(), id: NotificationID(high: 2, low: 2))
        var fresh = RequestWriter(authority: [])
        fresh.write(Self.notification(), id: NotificationID(high: 2, low: 2))
        #expect(writer.request == fresh.request)
    }

    // MARK: Broadcasts

    static func broadcast() -> Notification {
        var notification = Self.notification()
        notification.destination.kind = .channel
        notification.destination.identifier = [UInt8]("YQ==".utf8)
        notification.pushType = .liveactivity
        return notification
    }

    @Test func `of a broadcast has a channel and a request ID, and no topic`() throws {
        let request = try APNsRequest(Self.broadcast(), id: NotificationID(high: 1, low: 2))
        #expect(request.path == "/4/broadcasts/apps/com.example.shop")
        #expect(request.header("apns-channel-id") == "YQ==")
        #expect(request.header("apns-request-id") == "00000000-0000-0001-0000-000000000002")
        #expect(request.header("apns-push-type") == "liveactivity")
        #expect(request.header("apns-priority") == "10")
        #expect(request.header("apns-expiration") == "0")
        for name in ["apns-topic", "apns-id", "apns-collapse-id"] {
            #expect(request.header(name) == nil)
        }
    }

    @Test func `has nothing of the broadcast before it, and the other way round`() {
        var writer = RequestWriter(authority: [])
        for (index, isBroadcast) in [false, true, true, false, true, false, false].enumerated() {
            let notification = isBroadcast ? Self.broadcast() : Self.notification()
            let id = NotificationID(high: 7, low: UInt64(index))
            writer.write(notification, id: id)
            var fresh = RequestWriter(authority: [])
            fresh.write(notification, id: id)
            #expect(writer.request == fresh.request)
            #expect(writer.topic == fresh.topic && Self.text(writer.topic) == "com.example.shop")
        }
    }

    @Test func `of broadcasts names the app of each`() {
        var writer = RequestWriter(authority: [])
        for bundleID in ["com.example.shop", "com.example.pay", "a"] {
            var notification = Self.broadcast()
            notification.bundleID = [UInt8](bundleID.utf8)
            notification.expiration = .at(seconds: 1_767_268_800)
            writer.write(notification, id: NotificationID(high: 1, low: 1))
            #expect(Self.text(writer.request.path) == "/4/broadcasts/apps/\(bundleID)")
            #expect(Self.text(writer.request.expiration) == "1767268800")
        }
    }
}
