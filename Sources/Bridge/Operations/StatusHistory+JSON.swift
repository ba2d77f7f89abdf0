internal import APNs
internal import Delivery
internal import JSON

/// The history as JSON.
extension StatusHistory {
    /// One object of arrays, each with a number for each step, oldest first, and null where there
    /// is none; see the article *Operations*.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("interval_seconds")
        writer.integer(Self.interval.components.seconds)
        writer.name("capacity")
        writer.integer(Self.capacity)
        row("seconds", \.seconds, &writer)
        for verdict in Verdict.allCases {
            row(verdict.rawValue, { $0.count(verdict) }, &writer)
        }
        row("retries", \.retries, &writer)
        row("event_to_accepted_p50_ms", \.eventToAccepted?.median, &writer)
        row("event_to_accepted_p99_ms", \.eventToAccepted?.p99, &writer)
        row("round_trip_p50_ms", \.roundTrip?.median, &writer)
        row("round_trip_p99_ms", \.roundTrip?.p99, &writer)
        row("lag", \.lag, &writer)
        writer.array("reasons", reasons) { $0.write(to: &$1) }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    private func row<Number: FixedWidthInteger>(
        _ name: String, _ value: (Step) -> Number?, _ writer: inout JSONWriter
    ) {
        writer.array(name, steps) { $1.integer($0.flatMap(value)) }
    }
}

extension StatusHistory.Sum {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("connector")
        writer.string(reason.connector)
        writer.name("verdict")
        writer.string(reason.verdict.rawValue)
        writer.name("reason")
        writer.string(reason.reason.isEmpty ? nil : reason.reason)
        writer.name("count")
        writer.integer(count)
        writer.name("seconds_ago")
        writer.integer(age.components.seconds)
        writer.name("meaning")
        writer.string(reason.meaning)
        writer.endObject()
    }
}

extension StatusHistory.Reason {
    /// What it means, and what to check.
    var meaning: String {
        switch verdict {
        case .accepted: return ReasonTable.row(status: 200, reason: "").meaning
        case .rejected:
            let row = ReasonTable.rows(named: reason).first
            return (row ?? ReasonTable.row(status: 400, reason: reason)).meaning
        case .dropped:
            guard let drop = DropReason(rawValue: reason) else { return Self.seeDeadLetter }
            return drop.leavesDeadLetter ? "\(drop.meaning) \(Self.seeDeadLetter)" : drop.meaning
        case .unknown:
            return "It may have arrived: the connection ended before APNs responded. Check the"
                + " network and the proxy if this lasts."
        }
    }

    private static let seeDeadLetter = "The dead letter says where."
}
