internal import Spelling
internal import TimeZones

extension PlanBuilder {
    /// Checks a transform and its arguments; nil if it is invalid.
    mutating func add(
        _ transform: Template.Transform, of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Transform? {
        let place = scalar.place(at: transform.offset)
        guard let name = TransformName(rawValue: transform.name) else {
            error(
                place, "unknown transform '\(transform.name)'",
                TransformName.remedy(unknown: transform.name)
                    ?? "the transforms are \(TransformName.list)")
            return nil
        }
        if hole.isList, hole.transforms.first == transform, !name.takesArray {
            error(
                place, "'\(name.rawValue)' takes \(name.taken), but '[*]' produces a list",
                "select one element, such as [0], or start with | join(\",\")")
            return nil
        }
        let arguments = transform.arguments
        if name != .map, let pair = arguments.first(where: { $0.key != nil }) {
            error(
                scalar.place(at: pair.offset), "'=' is only valid in 'map'", "write \(name.example)"
            )
            return nil
        }
        switch name {
        case .upper: return flat(.upper, name, arguments, place)
        case .lower: return flat(.lower, name, arguments, place)
        case .trim: return flat(.trim, name, arguments, place)
        case .nonempty: return flat(.nonempty, name, arguments, place)
        case .text: return flat(.text, name, arguments, place)
        case .number: return flat(.number, name, arguments, place)
        case .length: return flat(.length, name, arguments, place)
        case .json: return flat(.json, name, arguments, place)
        case .parse: return flat(.parse, name, arguments, place)
        case .language: return flat(.language, name, arguments, place)
        case .hex: return flat(.hex, name, arguments, place)
        case .truncate:
            return count(name, arguments, 1...10_000, scalar, place).map { .truncate($0) }
        case .fixed: return count(name, arguments, 0...30, scalar, place).map { .fixed($0) }
        case .shift: return count(name, arguments, -30...30, scalar, place).map { .shift($0) }
        case .plus:
            return count(name, arguments, Int64.min ... .max, scalar, place).map { .plus($0) }
        case .minus:
            return count(name, arguments, Int64.min ... .max, scalar, place).map { .minus($0) }
        case .replace: return replace(arguments, scalar, place)
        case .join: return join(arguments, scalar, place)
        case .date: return date(arguments, of: hole, scalar, place)
        case .map: return map(arguments, of: hole, scalar, place)
        case .default:
            guard arguments.count == 1 else {
                error(place, "'default' takes one value", "write \(name.example)")
                return nil
            }
            return .standIn(add(arguments[0].operands, of: hole, from: scalar))
        }
    }

    private mutating func flat(
        _ transform: MappingPlan.Transform, _ name: TransformName,
        _ arguments: [Template.Argument], _ place: MappingPlace
    ) -> MappingPlan.Transform? {
        guard arguments.isEmpty else {
            error(place, "'\(name.rawValue)' takes no value", "write \(name.example)")
            return nil
        }
        return transform
    }

    /// The single argument of a transform that requires an integer.
    private mutating func count<Number: FixedWidthInteger>(
        _ name: TransformName, _ arguments: [Template.Argument], _ range: ClosedRange<Number>,
        _ scalar: ScalarSource, _ place: MappingPlace
    ) -> Number? {
        guard arguments.count == 1, arguments[0].operands.count == 1,
            case .number(let token) = arguments[0].operands[0], let value = Number(token),
            range.contains(value)
        else {
            error(
                arguments.first.map { scalar.place(at: $0.offset) } ?? place,
                "'\(name.rawValue)' takes one whole number"
                    + " from \(range.lowerBound) to \(range.upperBound)",
                "write \(name.example)")
            return nil
        }
        return value
    }

    private mutating func join(
        _ arguments: [Template.Argument], _ scalar: ScalarSource, _ place: MappingPlace
    ) -> MappingPlan.Transform? {
        guard arguments.count == 1, let separator = Self.text(of: arguments[0]) else {
            error(
                arguments.first.map { scalar.place(at: $0.offset) } ?? place,
                "'join' takes one string, the separator",
                "write \(TransformName.join.example)")
            return nil
        }
        return .join(separator: constant(separator))
    }

    private mutating func replace(
        _ arguments: [Template.Argument], _ scalar: ScalarSource, _ place: MappingPlace
    ) -> MappingPlan.Transform? {
        guard arguments.count == 2, let old = Self.text(of: arguments[0]),
            let new = Self.text(of: arguments[1]), !old.isEmpty
        else {
            error(
                arguments.first.map { scalar.place(at: $0.offset) } ?? place,
                "'replace' takes two strings, the first of which is not empty",
                "write \(TransformName.replace.example)")
            return nil
        }
        let borders = Int32(plan.borders.count)
        plan.borders += Borders.of(Array(old.utf8))
        return .replace(constant(old), by: constant(new), borders: borders)
    }

    /// The string of an argument that is a single string.
    private static func text(of argument: Template.Argument) -> String? {
        guard argument.operands.count == 1, case .text(let text) = argument.operands[0] else {
            return nil
        }
        return text
    }

    private mutating func date(
        _ arguments: [Template.Argument], of hole: Template.Hole, _ scalar: ScalarSource,
        _ place: MappingPlace
    ) -> MappingPlan.Transform? {
        guard arguments.count == 2, let format = Self.text(of: arguments[0]) else {
            error(
                place, "'date' takes a format in quotation marks and a zone",
                "write \(TransformName.date.example), or a path instead of the zone")
            return nil
        }
        if let fault = DateFormat.fault(in: format) {
            error(scalar.place(at: arguments[0].offset), fault.message, fault.remedy)
            return nil
        }
        if !format.contains("%") {
            warning(
                scalar.place(at: arguments[0].offset),
                "the format '\(format)' contains no '%' and is sent unchanged",
                "write the conversions of strftime, as in \(TransformName.date.example)")
        }
        guard check(zone: arguments[1], scalar) else { return nil }
        return .date(
            format: constant(format), zone: add(arguments[1].operands, of: hole, from: scalar))
    }

    /// Checks every zone written in the file itself.
    private mutating func check(zone: Template.Argument, _ scalar: ScalarSource) -> Bool {
        let place = scalar.place(at: zone.offset)
        var table = ZoneTable()
        for operand in zone.operands {
            switch operand {
            case .path where !ZoneFiles.areThere:
                error(place, Self.noZones, Self.installZones)
                return false
            case .path: break
            case .text(let name):
                if table.zone(named: Array(name.utf8)) != nil { continue }
                let near = Suggestion.nearest(to: name, among: ZoneFiles.names)
                let remedy =
                    near.map { "did you mean '\($0)'?" }
                    ?? "write a name such as \"Europe/Berlin\" or \"UTC\""
                if ZoneFiles.areThere {
                    error(place, "unknown time zone '\(name)'", remedy)
                } else {
                    error(place, Self.noZones, Self.installZones)
                }
                return false
            case .number, .boolean:
                error(place, "a time zone must be a name", "write \"Europe/Berlin\" or \"UTC\"")
                return false
            }
        }
        return true
    }

    private static var noZones: String {
        "this machine has no time zone data in \(ZoneFiles.directory)"
    }

    private static let installZones = "install the package tzdata, or write \"UTC\""

    private mutating func map(
        _ arguments: [Template.Argument], of hole: Template.Hole, _ scalar: ScalarSource,
        _ place: MappingPlace
    ) -> MappingPlan.Transform? {
        var choices: [MappingPlan.Choice] = []
        var names: [String] = []
        for argument in arguments {
            guard let key = argument.key, let name = Self.name(of: key) else {
                error(
                    scalar.place(at: argument.offset), "'map' takes pairs: name = value",
                    "write \(TransformName.map.example)")
                return nil
            }
            if names.contains(name) {
                error(scalar.place(at: argument.offset), "duplicate \(name) in 'map'")
                return nil
            }
            if names.last == "else" {
                error(
                    scalar.place(at: argument.offset), "nothing can follow 'else' in 'map'",
                    "put else = … last")
                return nil
            }
            names.append(name)
            let value = add(argument.operands, of: hole, from: scalar)
            choices.append(MappingPlan.Choice(key: operand(ofKey: key), value: value))
        }
        guard !choices.isEmpty else {
            error(place, "'map' is empty", "write \(TransformName.map.example)")
            return nil
        }
        let start = Int32(plan.choices.count)
        plan.choices.append(contentsOf: choices)
        return .map(.init(start: start, end: Int32(plan.choices.count)))
    }

    /// A string that identifies a key of `map`; nil for an invalid key.
    private static func name(of key: Template.Operand) -> String? {
        switch key {
        case .text(let text): return "'\(text)'"
        case .number(let token): return token
        case .boolean(let value): return "\(value)"
        case .path(let path):
            guard path.root == .event, path.steps.count == 1, case .member(let name) = path.steps[0]
            else { return nil }
            return name == "else" ? name : "'\(name)'"
        }
    }

    /// The operand that a value is compared with; nil for `else`.
    private mutating func operand(ofKey key: Template.Operand) -> MappingPlan.Operand? {
        switch key {
        case .text(let text): return .text(constant(text))
        case .number(let token): return .number(constant(token))
        case .boolean(let value): return .boolean(value)
        case .path(let path):
            guard case .member(let name) = path.steps[0], name != "else" else { return nil }
            return .text(constant(name))
        }
    }
}
