internal import Delivery

extension MappingPlan {
    /// Describes a fault: file, line and column, template, and what is wrong.
    func drop(for fault: MappingFault, field: String, inBlock block: Int) -> Drop {
        let origin = fault.hole < 0 ? nil : holeOrigins[Int(fault.hole)]
        let subject = origin?.written ?? "'\(field)'"
        let position = prefix(origin == nil ? blocks[block].locations[field] : origin?.location)
        switch fault.cause {
        case .absent: return Drop(.missingField, "\(position)\(subject) is absent")
        case .unfit(let target):
            return Drop(.wrongType, "\(position)\(subject) is not \(target.message)")
        case .refused(let name, let shape):
            return Drop(
                .wrongType,
                "\(position)\(subject): '\(name.rawValue)' takes \(name.taken), "
                    + "not \(shape.message)"
            )
        case .invalid(.noDevices): return Drop(.noDevices, "\(position)\(subject) is empty")
        case .invalid(let reason) where reason.dropReason == .unparsable:
            return Drop(.unparsable, "\(position)\(subject): \(reason.message)")
        case .invalid(let reason):
            return Drop(
                reason.dropReason, "\(position)\(subject) is not valid: \(reason.message)")
        }
    }

    /// Describes labels that have no value; nil for none.
    func message(for faults: [LabelFault]) -> String? {
        guard !faults.isEmpty else { return nil }
        return faults.map {
            "the label '\(labelOrigins[$0.label].name)' is null: \(drop(for: $0).detail)"
        }.joined(separator: "; ")
    }

    /// Describes why a label has no value.
    func drop(for fault: LabelFault) -> Drop {
        let origin = labelOrigins[fault.label]
        var drop = drop(for: fault.fault, field: origin.name, inBlock: 0)
        if fault.fault.hole < 0, case .invalid(let reason) = fault.fault.cause {
            drop.cause = prefix(origin.location) + reason.message
        }
        return drop
    }

    /// The file, with line and column if known.
    func prefix(_ location: MappingLocation?) -> String {
        guard let location else { return "\(fileName): " }
        return "\(fileName):\(location.line):\(location.column): "
    }
}
