@testable import APNsSimulator

/// Devices with a clock, and one of them to push to.
struct DeviceHarness {
    static let token = String(repeating: "ab", count: 32)

    var devices: SimulatedDevices
    var now: Int64 = 1_800_000_000_000
    private var number = 0

    init(_ limits: MemoryLimits = MemoryLimits()) { devices = SimulatedDevices(limits: limits) }

    var token: TokenBytes {
        guard let token = TokenBytes(Self.token) else { preconditionFailure("no token") }
        return token
    }

    var device: Device? { devices.device(token) }

    /// The titles on the lock screen, the newest first.
    var titles: [String] { device?.lockScreen.notifications.map { $0.title ?? "-" } ?? [] }

    mutating func online(_ isOnline: Bool) throws {
        _ = try devices.setOnline(isOnline, token, at: now)
    }

    /// Pushes a payload.
    @discardableResult
    mutating func push(
        _ fields: [String: String] = [:], payload: String, topic: String = "com.example.app",
        to other: TokenBytes? = nil
    ) -> DevicePush.State {
        number += 1
        var all = ["apns-topic": topic]
        all.merge(fields) { $1 }
        var request = JudgedRequest(
            arrivedAt: now, fields: all.map { ([UInt8]($0.utf8), [UInt8]($1.utf8)) },
            body: [UInt8](payload.utf8), judgement: .accepted,
            identifier: [UInt8](JudgeFixture.identifier.utf8))
        request.number = number
        return devices.receive(request, token: other ?? token)
    }

    /// Pushes an alert with a title.
    @discardableResult
    mutating func push(
        _ fields: [String: String] = [:], title: String, topic: String = "com.example.app",
        to other: TokenBytes? = nil
    ) -> DevicePush.State {
        push(
            fields, payload: #"{"aps":{"alert":{"title":"\#(title)"}}}"#, topic: topic, to: other)
    }
}
