import BridgeTesting
import Delivery
import Encoding

/// What result records say about the pushes that they belong to.
extension Oracle {
    static func header(_ name: String, _ headers: [ResultRecord.Header]) -> String {
        String(decoding: headers.last { $0.name == name }?.value ?? [], as: UTF8.self)
    }

    /// Which push a record of the retry topic is about, and how often that was sent.
    static func retry(
        _ headers: [ResultRecord.Header]
    ) -> (position: Position, id: String, attempts: Int)? {
        func text(_ name: String) -> String { header("apns-bridge-retry-" + name, headers) }
        guard let partition = Int32(text("partition")), let offset = Int64(text("offset")),
            let attempts = Int(text("attempts"))
        else { return nil }
        return (Position(partition: partition, offset: offset), text("apns-id"), attempts)
    }

    static func retryTime(_ headers: [ResultRecord.Header]) -> Int64? {
        Int64(header("apns-bridge-retry-timestamp", headers))
    }

    /// The record that a result is about, which it names near its end.
    static func position(in result: String) -> Position? {
        let source = result.components(after: #""source":{"topic":"#)
        guard let rest = source?.components(after: #","partition":"#),
            let offset = rest.components(after: #","offset":"#).flatMap({ Int64($0.digits) }),
            let partition = Int32(rest.digits)
        else { return nil }
        return Position(partition: partition, offset: offset)
    }

    static func companion(of outcome: String, _ id: String) -> String? {
        guard let verdict = outcome.components(after: #""verdict":""#)?.quoted,
            verdict != "accepted"
        else { return nil }
        if UnregisteredDeviceCheck.isGone(outcome) { return "U" + id }
        let harmless = [
            "expired", "superseded", "duplicate", "filtered", "no_devices",
            "remembered_unregistered",
        ]
        let reason = outcome.components(after: #""reason":""#)?.quoted
        let isHarmless = harmless.contains(String(reason ?? ""))
        return verdict == "rejected" || verdict == "dropped" && !isHarmless ? "D" + id : nil
    }

    func noteDeadLetter(_ headers: [ResultRecord.Header]) {
        guard let partition = Int32(Self.header("apns-bridge-partition", headers)),
            let offset = Int64(Self.header("apns-bridge-offset", headers))
        else { return fail("a dead letter without a position") }
        let position = Position(partition: partition, offset: offset)
        if noteForged(headers, position) { return }
        let time = Int64(Self.header("apns-bridge-timestamp", headers))
        if isPast(time, at: position) { return }
        noteCompanion("D" + Self.header("apns-bridge-apns-id", headers), of: position)
    }

    /// True for an outcome of a record whose log was replaced.
    func isPast(_ outcome: String, at position: Position) -> Bool {
        guard replaced.contains(position.partition) else { return false }
        let time = outcome.components(after: #""event_time":""#).map { String($0.quoted) }
        return time == nil || time != timeOfEvent(at: position)
    }

    /// When the record that has a position now was written, as outcomes write it.
    private func timeOfEvent(at position: Position) -> String? {
        let entry = topic.entries(position.partition, from: position.offset).first
        guard entry?.offset == position.offset else { return nil }
        return entry?.timestamp.map { Timestamp.text(milliseconds: $0) }
    }

    /// Nothing expires by a clock that has jumped ahead, while nobody vouches for it.
    func checkExpiry(of outcome: String, at position: Position, deadline: String?) {
        guard let lead = doubtfulLead, let deadline,
            outcome.components(after: #""reason":""#)?.quoted == "expired"
        else { return }
        let time = Timestamp.text(milliseconds: topic.clock.wallClock - lead)
        if time < deadline { fail("\(position) expired at \(time) by a clock in doubt") }
    }

    /// The same for a record of the retry topic or a dead letter, which name the time.
    func isPast(_ time: Int64?, at position: Position) -> Bool {
        guard replaced.contains(position.partition) else { return false }
        return time.map { Timestamp.text(milliseconds: $0) } != timeOfEvent(at: position)
    }
}
