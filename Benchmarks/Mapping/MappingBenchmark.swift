internal import Glibc

/// Measures what it costs to turn an event into finished requests, for connectors of a folder: for
/// those that are named only that, and otherwise also what reading alone is of it.
@main enum MappingBenchmark {
    static func main() {
        var message = Array(CommandLine.arguments.dropFirst())
        let count = message.first.flatMap { Int($0) } ?? 200_000
        if message.first.flatMap({ Int($0) }) != nil { message.removeFirst() }
        let folder = message.first ?? "connectors"
        let chosen = Array(message.dropFirst())
        let names = chosen.isEmpty ? Self.names : chosen
        print(
            left("connector", 28) + "  event   pushes   map+request   of it reading   allocations")
        for name in names {
            do throws(Sample.Failure) {
                let isJSON = name.hasSuffix(json)
                let file = isJSON ? String(name.dropLast(json.count)) : name
                let sample = try Sample(named: file, in: folder, isJSON: isJSON)
                print(line(sample, count, readsAlone: chosen.isEmpty && sample.isJSON))
            } catch {
                print(error.message)
                exit(78)
            }
        }
    }

    /// What is behind the name of a connector whose events shall be JSON, whatever its file says.
    private static let json = ":json"
    private static let names = [
        "orders", "avro-orders", "avro-orders:json", "protobuf-orders", "protobuf-orders:json",
    ]

    private static func line(_ sample: Sample, _ count: Int, readsAlone: Bool) -> String {
        let whole = sample.mapping(count)
        let share = readsAlone ? "\(Int(sample.reading(count).nanoseconds)) ns" : "-"
        let columns = [
            left(sample.name, 28), right("\(sample.event.count) B", 7),
            right("\(whole.notifications)", 9), right("\(Int(whole.nanoseconds)) ns", 14),
            right(share, 16),
            right("\(Double(Int(whole.allocations * 100)) / 100)", 14),
        ]
        return columns.joined()
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
