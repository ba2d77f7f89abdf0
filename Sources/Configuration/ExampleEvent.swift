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

    /// More warnings of this kind help nobody.
    private static let faultLimit = 5

    /// Warns if the plan filters or drops the example, and of texts that it cuts.
    func check(with plan: MappingPlan, topic: String, to findings: Findings) {
        var mapper = Mapper(plan: plan)
        mapper.explains = true
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: topic, partition: 0),
            offset: 0, timestamp: Self.time, value: bytes)
        mapper.map(record, now: Self.time, into: &mapped)
        for fault in mapper.faults(of: mapped).prefix(Self.faultLimit) { warn(of: fault, findings) }
        for cut in mapper.cuts {
            guard let start = cut.location else { continue }
            let location = SourceLocation(line: start.line, column: start.column)
            let remedy =
                switch cut.unit {
                case .characters: "write a larger number if devices should show all of it"
                case .bytes: "have the producer write less, or leave something else out"
                }
            findings.add(
                .warning, at: location, length: findings.length(of: "", at: location),
                "\(cut.message), with the event in \(name)", remedy)
        }
    }

    /// 2026-01-01T10:00:00Z.
    private static let time: Int64 = 1_767_261_600_000

    private func warn(of fault: ExampleFault, _ findings: Findings) {
        let message = "the event in \(name) \(fault.verdict): \(fault.message)"
        let remedy =
            fault.hints.isEmpty
            ? "correct the file or the example; 'apns-bridge render' shows what it becomes"
            : fault.hints.joined(separator: "; ")
        let location = SourceLocation(
            line: fault.location?.line ?? 1, column: fault.location?.column ?? 1)
        findings.add(
            .warning, at: location,
            length: fault.location == nil ? nil : findings.length(of: fault.message, at: location),
            message, remedy)
    }
}
