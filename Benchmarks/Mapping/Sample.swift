internal import APNs
internal import CAllocations
internal import Configuration
internal import Delivery
internal import HTTP2
internal import JSON
internal import Mapping
internal import YAML

/// A connector of the repository with its example event.
struct Sample {
    let name: String
    let plan: MappingPlan
    let event: [UInt8]
    private let record: TopicPartition
    /// The schema of the event, if it has one.
    private let schema: KnownSchema?

    /// True if the event can be read as it is.
    var isJSON: Bool { schema == nil }

    /// Why a sample cannot be measured.
    struct Failure: Error {
        let message: String
    }

    /// Reads `connectors/NAME.yaml` with an event of the benchmark's own, or its example. An event
    /// whose schema is beside the benchmark is encoded by it, unless it shall be JSON.
    init(named name: String, in folder: String, isJSON: Bool) throws(Failure) {
        let connector = try Self.connector(named: name, in: folder, isJSON: isJSON)
        let example = "\(folder)/\(name).example.json"
        let own = try? InputFile.read(path: "Benchmarks/Mapping/\(name).json")
        guard let event = own ?? (try? InputFile.read(path: example)) else {
            throw Failure(message: "\(example) cannot be read")
        }
        let encoded = try EncodedEvent(event, named: name)
        self.name = isJSON ? "\(name) in JSON" : name
        self.plan = connector.plan
        self.event = encoded.map { isJSON ? $0.json : $0.value } ?? event
        schema = isJSON ? nil : encoded?.schema
        record = TopicPartition(topic: "benchmark", partition: 0)
    }

    /// The whole way: the event's bytes become the fields and the body of finished requests.
    func mapping(_ count: Int) -> Cost {
        var mapper = Mapper(plan: plan)
        if let schema {
            mapper.decoder.idBytes = 4
            mapper.decoder.learn(EncodedEvent.id, schema)
        }
        var mapped = MappedRecord()
        // A worker, too, takes a notification over by giving one back whose buffers are free.
        var open = Notification()
        var writer = RequestWriter(authority: Array("api.push.apple.com".utf8))
        let names = NotificationName(
            clusterID: "MkU3OEVBNTcwNTJENDM2Qg", group: "benchmark", topicPartition: record)
        let record = makeRecord()
        return Cost.of(count) {
            mapper.map(record, now: Self.now, into: &mapped)
            for index in 0..<mapped.count {
                swap(&open, &mapped.notifications[index])
                writer.write(open, id: names.identifier(of: open, offset: record.offset))
            }
            return mapped.count
        }
    }

    /// Only the reading of the event, which the rest is compared with.
    func reading(_ count: Int) -> Cost {
        var tape = JSONTape()
        let record = makeRecord()
        return Cost.of(count) {
            record.withValue { bytes in
                do throws(JSONError) {
                    try tape.read(bytes)
                    return 1
                } catch {
                    return 0
                }
            }
        }
    }

    private func makeRecord() -> Record {
        Record.owning(
            assignment: AssignmentID(0), topicPartition: record, offset: 7001, timestamp: Self.now,
            key: nil, value: event, headers: [])
    }

    /// 2026-01-01T10:00:00Z.
    private static let now: Int64 = 1_767_261_600_000
}
