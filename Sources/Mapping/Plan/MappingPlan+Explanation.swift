internal import Delivery

extension MappingPlan {
    /// Describes a fault: file, line and column, template, and what is wrong.
    func drop(for fault: MappingFault, field: String, inBlock block: Int) -> Drop {
        let origin = fault.hole < 0 ? nil : holeOrigins[Int(fault.hole)]
        let subject = origin?.written ?? "'\(field)'"
        let position = prefix(origin == nil ? blocks[block].places[field] : origin?.place)
        switch fault.cause {
        case .absent: return Drop(.missingField, "\(position)\(subject) is absent")
        case .unfit(let target):
            return Drop(.wrongType, "\(position)\(subject) is not \(target.words)")
        case .refused(let name, let shape):
            return Drop(
                .wrongType,
                "\(position)\(subject): '\(name.rawValue)' takes \(name.taken), not \(shape.words)")
        case .invalid(let reason):
            return Drop(
                reason.dropReason, "\(position)\(subject) is not valid: \(reason.words)")
        }
    }

    /// The file, with line and column if known.
    func prefix(_ place: MappingPlace?) -> String {
        guard let place else { return "\(fileName): " }
        return "\(fileName):\(place.line):\(place.column): "
    }
}
