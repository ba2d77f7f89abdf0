import APNsSimulator
import Foundation

/// A request as it is on the wire, in a form that can be compared with another client's.
struct WireRequest: Equatable, CustomStringConvertible {
    /// The header fields but `authorization`, with stand-ins for what differs in each run.
    var headers: [String: String]
    /// The body as JSON, with sorted members.
    var body: String

    var description: String {
        headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
            + "\n\n\(body)"
    }

    init(headers: [String: String], body: Any) throws {
        self.headers = headers
        self.body = try Self.sorted(body)
    }

    /// A request that the simulator has received.
    init(_ request: JudgedRequest, _ world: SimulatorWorld) throws {
        headers = [:]
        let ignored = [":authority", ":scheme", "authorization", "content-length", "accept"]
            + ["accept-encoding", "connection"]
        for field in request.fields {
            let name = String(decoding: field.name, as: UTF8.self)
            if ignored.contains(name) { continue }
            let value = String(decoding: field.value, as: UTF8.self)
            headers[name] = value.replacingOccurrences(of: world.token, with: "TOKEN")
        }
        if headers["apns-channel-id"] != nil { headers["apns-channel-id"] = "CHANNEL" }
        if headers["apns-topic"] == FurtherCertificate.management.topic {
            headers["apns-topic"] = "MANAGEMENT"
        }
        body = try Self.sorted(JSONSerialization.jsonObject(with: Data(request.body)))
    }

    private static func sorted(_ body: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: body, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    /// The names of the header fields in which two requests differ, and `body`.
    func differences(from other: WireRequest) -> Set<String> {
        let names = Set(headers.keys).union(other.headers.keys)
        let different = names.filter { headers[$0] != other.headers[$0] }
        return different.union(body == other.body ? [] : ["body"])
    }
}

/// What each client sends, with the notification that makes the bridge send it.
enum ClientThings {
    static let notifications: [(what: String, notification: String)] = [
        (
            "alert",
            "collapse_id: order-42, expiration: 2114433300, payload: {aps: {alert: {title: Shipped,"
                + " body: Hi}, badge: 1, sound: default}, order: \"42\"}"
        ),
        (
            "background",
            "push_type: background, expiration: 0, payload: {aps: {content-available: 1},"
                + " mailbox: inbox}"
        ),
        (
            "liveactivity-start",
            "priority: 10, expiration: 0, live_activity: {event: start, timestamp: 1767261600,"
                + " attributes_type: Ride, attributes: {to: Rua A}, content_state: {minutes: 9},"
                + " stale_date: 1767262200, alert: {title: Ride, body: 9 minutes}}"
        ),
        (
            "liveactivity-update",
            "priority: 5, expiration: 0, live_activity: {event: update, timestamp: 1767261600,"
                + " content_state: {minutes: 3}, stale_date: 1767262200}"
        ),
        (
            "liveactivity-end",
            "priority: 10, expiration: 0, live_activity: {event: end, timestamp: 1767261600,"
                + " content_state: {minutes: 0}, dismissal_date: 0}"
        ),
        (
            "broadcast",
            "broadcast: {channel: \"${channel}\"}, priority: 10, expiration: 0, live_activity:"
                + " {event: update, timestamp: 1767261600, content_state: {score: 1}}"
        ),
        ("voip", "push_type: voip, expiration: 0, payload: {caller: Ana}"),
        ("mdm", "push_type: mdm, payload: {mdm: 8A4F6C1E}"),
        ("location", "push_type: location, payload: {}"),
        ("complication", "push_type: complication, expiration: 0, payload: {steps: 9000}"),
        (
            "fileprovider",
            "push_type: fileprovider, expiration: 0, payload: {container-identifier: home}"
        ),
        ("pushtotalk", "push_type: pushtotalk, payload: {speaker: Ana}"),
        ("widgets", "push_type: widgets, payload: {aps: {content-changed: true}}"),
        ("controls", "push_type: controls, payload: {aps: {content-changed: true}}"),
    ]
}
