internal import Arguments
internal import Configuration
internal import Delivery
internal import YAML

/// An event on the command line: a file or standard input, with the key, headers and time of its
/// record.
enum EventInput {
    static let key = Option<String?>("key", help: "Record key.")
    static let header = Option<[RecordHeaderWord]>(
        "header", valueName: "NAME=VALUE", help: "Record header.")
    static let timestamp = Option<TimeWord?>(
        "timestamp", valueName: "TIME", help: "Record timestamp; defaults to the current time.")

    /// Reads a file, or standard input for `-`.
    static func read(_ path: String) throws(Refusal) -> [UInt8] {
        let limit = 16 << 20
        do throws(InputFile.Failure) {
            return path == "-"
                ? try InputFile.readStandardInput(limit: limit)
                : try InputFile.read(path: path, limit: limit, takesPipes: true)
        } catch {
            let name = path == "-" ? "standard input" : path
            throw Refusal(
                text: "error: \(name) cannot be read: \(error.reason)", code: .noInput)
        }
    }

    /// The record that contains an event, at a place.
    static func record(
        _ value: [UInt8], _ parsed: ParsedCommand, at topicPartition: TopicPartition,
        offset: Int64 = 0,
        now: Int64
    ) -> Record {
        Record.owning(
            assignment: AssignmentID(1), topicPartition: topicPartition, offset: offset,
            timestamp: parsed[timestamp]?.milliseconds ?? now,
            key: parsed[key].map { Array($0.utf8) }, value: value,
            headers: parsed[header].map { ($0.name, Array($0.value.utf8)) })
    }
}
