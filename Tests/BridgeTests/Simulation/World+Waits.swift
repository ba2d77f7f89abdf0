import BridgeSamples
import BridgeTesting
import Delivery

/// Which records of an app were written, and when.
final class Written {
    var times: [Oracle.Position: Instant] = [:]
}

extension World {
    /// Writes an event of an app to a partition at a time, and notes it.
    func write(
        to app: String, _ token: String, _ partition: Int32, at time: Instant,
        noting written: Written? = nil
    ) {
        let event = Samples.event(
            Samples.token(token), more: #","bundle_id":"com.example.\#(app)""#)
        clock.schedule(at: time) { [unowned self] in
            let offset = topic.append(partition: partition, value: Array(event.utf8))
            written?.times[Oracle.Position(partition: partition, offset: offset)] = clock.now
        }
    }

    /// The longest time from writing a record to its outcome.
    func maxWait(of written: Written) -> Duration {
        var outcomes: [Oracle.Position: Instant] = [:]
        for entry in results.entries where entry.record.topic == "apns.outcomes" {
            let value = String(decoding: entry.record.value ?? [], as: UTF8.self)
            if let position = Oracle.position(in: value) { outcomes[position] = entry.time }
        }
        return written.times.map { position, time in
            (outcomes[position] ?? .distantFuture) - time
        }.max() ?? .seconds(Int64.max)
    }
}
