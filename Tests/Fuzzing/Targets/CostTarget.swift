internal import CFuzzer
internal import Delivery
internal import Mapping

/// Bytes as the value of a record: mapping it must cost neither more than its size allows nor more
/// than any record may.
///
/// JSON contains no control characters between the others, so that they can say which parts are
/// repeated: an event of a hundred bytes stands for one of a megabyte, which a fuzzer would not
/// write. What is between 1 and 2 occurs a thousand times, as the elements of a list may; what is
/// between 3 and 4 fills the event.
enum CostTarget {
    /// The most instructions for each byte: a small event can cost as much for each of its bytes as
    /// a large one, because its elements may repeat its texts.
    private static let limit: Int64 = 60_000
    /// What an event costs that has no bytes, and what the clock may be off.
    private static let base: Int64 = 50_000_000
    /// The most instructions for any event, which may use up ``Mapper/workLimit``.
    private static let maxOfAll: Int64 = 4_000_000_000

    static func run(_ bytes: [UInt8]) {
        measure(bytes)
        let grown = grown(bytes)
        if grown != bytes { measure(grown) }
    }

    private static func measure(_ bytes: [UInt8]) {
        for (number, plan) in (EventTarget.plans + plans).enumerated() {
            var mapper = Mapper(plan: plan)
            var mapped = MappedRecord()
            let record = Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "t", partition: 0), offset: 7, timestamp: 0,
                value: bytes)
            let start = fuzzer_instructions()
            mapper.map(record, now: 0, into: &mapped)
            let cost = fuzzer_instructions() - start
            precondition(
                cost <= min(base + limit * Int64(bytes.count), maxOfAll),
                "\(cost) instructions for \(bytes.count) bytes by plan \(number)")
        }
    }

    // MARK: Growing

    private static func grown(_ bytes: [UInt8]) -> [UInt8] {
        let many = repeated(bytes, from: 1, to: 2, count: 1000)
        let fillers = many.count { $0 == 3 }
        guard fillers > 0 else { return many }
        let room = max(0, Mapper.eventLimit - many.count) / fillers
        return repeated(many, from: 3, to: 4, room: room)
    }

    /// The bytes with each part between two marks repeated, without the marks.
    private static func repeated(
        _ bytes: [UInt8], from first: UInt8, to last: UInt8, count: Int = .max, room: Int = .max
    ) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.firstIndex(of: first),
            let end = rest[start...].firstIndex(of: last)
        {
            let part = rest[(start + 1)..<end]
            result += rest[..<start]
            let limit = min(room, Mapper.eventLimit - result.count)
            let times = part.isEmpty ? 0 : min(count, limit / part.count)
            for _ in 0..<max(0, times) { result += part }
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    // MARK: Plans

    /// Connectors whose templates begin with what is long, and end with what may be absent.
    private static let plans = [written, labelled, named].map { EventTarget.plan($0) }

    private static let written = """
        notification:
          for_each: {items: "${devices}", as: device}
          device_token: ${device.token}
          collapse_id: ${name}${device.nick?}
          ttl: 4h
          payload:
            aps:
              alert:
                title: ${name}
                subtitle: ${name} ${device.nick?}
                body: Hi ${device.nick}
                loc-args: ["${name}", "${device.nick}"]
        """

    private static let labelled = """
        notification:
          for_each: {items: "${devices}", as: device}
          device_token: ${device.token}
          ttl: 4h
          payload: {aps: {alert: "${name | truncate(20)} ${device.nick ?? device.token}"}}
        results:
          outcomes: o
          unregistered: u
          dead_letter: d
          labels: {one: "${name}${device.nick}", two: "${device.token} ${name | upper}"}
        """

    private static let named = """
        notification:
          for_each: {items: "${devices}", as: device}
          device_token: ${device.token}
          ttl: 4h
          payload:
            aps:
              alert:
                title: ${texts[device.l].title ?? texts[device.l] ?? 'none'}
                body: ${texts[device.l][device.token] ?? name | lower | length}
            n: ${texts[device.token]?}
        """
}
