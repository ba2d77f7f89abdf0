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
        case .invalid(.unparsable):
            return Drop(
                .unparsable, "\(position)\(subject): \(MappingFault.Reason.unparsable.message)")
        case .invalid(let reason):
            return Drop(
                reason.dropReason, "\(position)\(subject) is not valid: \(reason.message)")
        }
    }

    /// Describes labels that have no value; nil for none.
    func message(for faults: [LabelFault]) -> String? {
        guard !faults.isEmpty else { return nil }
        return faults.map { fault in
            let origin = labelOrigins[fault.label]
            var detail = drop(for: fault.fault, field: origin.name, inBlock: 0).detail
            if fault.fault.hole < 0, case .invalid(let reason) = fault.fault.cause {
                detail = prefix(origin.location) + reason.message
            }
            return "the label '\(origin.name)' is null: \(detail)"
        }.joined(separator: "; ")
    }

    /// The file, with line and column if known.
    func prefix(_ location: MappingLocation?) -> String {
        guard let location else { return "\(fileName): " }
        return "\(fileName):\(location.line):\(location.column): "
    }
}
