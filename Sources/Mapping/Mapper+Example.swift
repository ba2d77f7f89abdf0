public import Delivery
internal import JSON

extension Mapper {
    /// Why the last record yields no push, or not all of its pushes: what to say about an example
    /// that ``map(_:now:only:into:)`` has mapped to `result` with ``explains``.
    ///
    /// What the key or headers decide is left out: an example has none.
    public func faults(of result: borrowing MappedRecord) -> [ExampleFault] {
        guard result.count > 0 else { return filterFaults }
        var faults = exampleRemarks + labelRemarks
        for index in 0..<result.count {
            guard let drop = result.notifications[index].drop, drop.reason != .filtered,
                !isAboutMetadata(drop)
            else { continue }
            let (location, message) = split(drop.detail)
            faults.append(
                ExampleFault(
                    location: location, verdict: "is dropped as \(drop.reason.rawValue)",
                    message: message,
                    hints: explanations[drop.detail] ?? []))
        }
        return faults
    }

    /// The labels that are null, but those that read what an example does not have.
    private var labelRemarks: [ExampleFault] {
        labelFaults.sorted { $0.key < $1.key }.compactMap { name, drop in
            guard !isAboutMetadata(drop) else { return nil }
            let (location, message) = split(drop.detail)
            return ExampleFault(
                location: location, verdict: "has no value for the label '\(name)'",
                message: message, hints: explanations[drop.detail] ?? [])
        }
    }

    private var filterFaults: [ExampleFault] {
        let isAboutMetadata = brokenConditions.contains {
            $0.path.first?.first == "@" && !$0.isOfValue && $0.path.first != "@ce"
        }
        guard !isAboutMetadata else { return [] }
        guard !brokenConditions.isEmpty else {
            return filterExplanation.map {
                let (location, message) = split($0)
                return ExampleFault(
                    location: location, verdict: "is skipped", message: message,
                    hints: explanations[$0] ?? [])
            }
        }
        // The explanation has one line for each condition.
        return zip(brokenConditions, filterExplanation).map { condition, line in
            ExampleFault(
                location: condition.location, verdict: "is skipped", message: split(line).message,
                hints: absentNames[condition.path] ?? [])
        }
    }

    /// True if a template reads the record's key or headers, which an example does not have, or if
    /// it is not a CloudEvent, whose attributes may be headers.
    private func isAboutMetadata(_ drop: Drop) -> Bool {
        let plan = evaluator.plan
        if drop.reason == .unparsable { return plan.format == .cloudEvents }
        guard let hole = notedFaults[drop.detail]?.fault.hole, hole >= 0 else { return false }
        return plan.operands[plan.holes[Int(hole)].operands.range].contains {
            switch $0 {
            case .key, .header, .attribute: true
            default: false
            }
        }
    }

    /// The place that a description begins with, and the rest of it.
    private func split(_ text: String) -> (location: MappingLocation?, message: String) {
        let name = evaluator.plan.fileName + ":"
        guard text.hasPrefix(name) else { return (nil, text) }
        let rest = text.dropFirst(name.count)
        let parts = rest.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let line = Int(parts[0]), let column = Int(parts[1]) else {
            return (nil, String(rest.drop { $0 == " " }))
        }
        return (MappingLocation(line: line, column: column), String(parts[2].drop { $0 == " " }))
    }
}

/// Why an example yields no push.
public struct ExampleFault: Sendable {
    /// The position of what is at fault, if it is known.
    public var location: MappingLocation?
    /// What becomes of the event, after *the event in the example*.
    public var verdict: String
    /// What is wrong.
    public var message: String
    /// What the event has instead, and what may have been meant.
    public var hints: [String]
}
