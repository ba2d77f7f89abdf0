import BridgeTesting
import Delivery

/// Where and when records of an app were written.
final class Written {
    var records: [(partition: Int32, offset: Int64, time: Instant)] = []
}

extension World {
    /// The longest time from writing a record to its outcome.
    func longestWait(of written: Written) -> Duration {
        var times: [String: Instant] = [:]
        for entry in results.entries where entry.record.topic == "apns.outcomes" {
            let value = String(decoding: entry.record.value ?? [], as: UTF8.self)
            guard let position = value.split(separator: #","partition":"#).last else { continue }
            times[String(position)] = entry.time
        }
        return written.records.map { record in
            let position = #"\#(record.partition),"offset":\#(record.offset)}}"#
            return (times[position] ?? .distantFuture) - record.time
        }.max() ?? .seconds(Int64.max)
    }
}
