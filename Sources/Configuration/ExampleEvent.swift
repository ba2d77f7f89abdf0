internal import Delivery
internal import Mapping
internal import YAML

/// The event in `NAME.example.json` beside a connector file, with which lint compares it.
struct ExampleEvent {
    /// The name of its file.
    let name: String
    let bytes: [UInt8]

    /// Reads the example of a connector file; nil without one.
    init?(ofConnector path: String) {
        name = FilePath.baseName(path) + ".example.json"
        let path = FilePath.resolve(name, in: FilePath.folder(of: path))
        guard let bytes = try? InputFile.read(path: path, limit: Mapper.eventLimit) else {
            return nil
        }
        self.bytes = bytes
    }

    /// Warns of texts that the plan cuts for the example.
    func warnOfCuts(by plan: MappingPlan, topic: String, to findings: Findings) {
        var mapper = Mapper(plan: plan)
        mapper.explains = true
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: topic, partition: 0),
            offset: 0, timestamp: 0, value: bytes)
        mapper.map(record, now: 0, into: &mapped)
        for cut in mapper.cuts {
            guard let start = cut.place else { continue }
            let place = SourcePlace(line: start.line, column: start.column)
            let remedy =
                switch cut.unit {
                case .characters: "write a larger number if devices should show all of it"
                case .bytes: "have the producer write less, or leave something else out"
                }
            findings.add(
                .warning, at: place, length: findings.length(of: "", at: place),
                "\(cut.words), with the event in \(name)", remedy)
        }
    }
}
