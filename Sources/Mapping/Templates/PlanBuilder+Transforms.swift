internal import Spelling
internal import TimeZones

extension PlanBuilder {
    /// Checks a transform and its arguments; nil if it is invalid.
    mutating func add(
        _ transform: Template.Transform, of hole: Template.Hole, from scalar: ScalarSource
    ) -> MappingPlan.Transform? {
        let location = scalar.location(at: transform.offset)
        guard let name = TransformName(rawValue: transform.name) else {
            error(
                location, "unknown transform '\(transform.name)'",
                TransformName.remedy(unknown: transform.name)
                    ?? "the transforms are \(TransformName.list)")
            return nil
        }
        if hole.isList, hole.transforms.first == transform, !name.takesArray {
            error(
                location, "'\(name.rawValue)' takes \(name.taken), but '[*]' produces a list",
                "select one element, such as [0], or start with | join(\",\")")
            return nil
        }
        let arguments = transform.arguments
        if name != .map, let pair = arguments.first(where: { $0.key != nil }) {
            error(
                scalar.location(at: pair.offset), "'=' is only valid in 'map'",
                "write \(name.example)"
            )
            return nil
        }
        switch name {
        case .upper: return flat(.upper, name, arguments, location)
        case .lower: return flat(.lower, name, arguments, location)
        case .trim: return flat(.trim, name, arguments, location)
        case .nonempty: return flat(.nonempty, name, arguments, location)
        case .text: return flat(.text, name, arguments, location)
        case .number: return flat(.number, name, arguments, location)
        case .length: return flat(.length, name, arguments, location)
        case .json: return flat(.json, name, arguments, location)
        case .parse: return flat(.parse, name, arguments, location)
        case .language: return flat(.language, name, arguments, location)
        case .hex: return flat(.hex, name, arguments, location)
        case .truncate:
            return count(name, arguments, 1...10_000, scalar, location).map { .truncate($0) }
        case .fixed: return count(name, arguments, 0...30, scalar, location).map { .fixed($0) }
        case .shift: return count(name, arguments, -30...30, scalar, location).map { .shift($0) }
        case .plus:
            return count(name, arguments, Int64.min ... .max, scalar, location).map { .plus($0) }
        case .minus:
            return count(name, arguments, Int64.min ... .max, scalar, location).map { .minus($0) }
        case .replace: return replace(arguments, scalar, location)
        case .join: return join(arguments, scalar, location)
        case .date: return date(arguments, of: hole, scalar, location)
        case .map: return map(arguments, of: hole, scalar, location)
        case .default:
            guard arguments.count == 1 else {
                error(location, "'default' takes one value", "write \(name.example)")
                return nil
            }
            return .standIn(add(arguments[0].operands, of: hole, from: scalar))
        }
    }

    private mutating func flat(
        _ transform: MappingPlan.Transform, _ name: TransformName,
        _ arguments: [Template.Argument], _ location: MappingLocation
    ) -> MappingPlan.Transform? {
        guard arguments.isEmpty else {
            error(location, "'\(name.rawValue)' takes no value", "write \(name.example)")
            return nil
        }
        return transform
    }

    /// The single argument of a transform that requires an integer.
    private mutating func count<Number: FixedWidthInteger>(
        _ name: TransformName, _ arguments: [Template.Argument], _ range: ClosedRange<Number>,
        _ scalar: ScalarSource, _ location: MappingLocation
    ) -> Number? {
        guard arguments.count == 1, arguments[0].operands.count == 1,
            case .number(let token) = arguments[0].operands[0], let value = Number(token),
            range.contains(value)
        else {
            error(
                arguments.first.map { scalar.location(at: $0.offset) } ?? location,
                "'\(name.rawValue)' takes one whole number"
                    + " from \(range.lowerBound) to \(range.upperBound)",
                "write \(name.example)")
            return nil
        }
        return value
    }

    private mutating func join(
        _ arguments: [Template.Argument], _ scalar: ScalarSource, _ location: MappingLocation
    ) -> MappingPlan.Transform? {
        guard arguments.count == 1, let separator = Self.text(of: arguments[0]) else {
            error(
                arguments.first.map { scalar.location(at: $0.offset) } ?? location,
                "'join' takes one string, the separator",
                "write \(TransformName.join.example)")
            return nil
        }
        return .join(separator: constant(separator))
    }

    private mutating func replace(
        _ arguments: [Template.Argument], _ scalar: ScalarSource, _ location: MappingLocation
    ) -> MappingPlan.Transform? {
        guard arguments.count == 2, let old = Self.text(of: arguments[0]),
            let new = Self.text(of: arguments[1]), !old.isEmpty
        else {
            error(
                arguments.first.map { scalar.location(at: $0.offset) } ?? location,
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
        _ location: MappingLocation
    ) -> MappingPlan.Transform? {
        guard arguments.count == 2, let format = Self.text(of: arguments[0]) else {
            error(
                location, "'date' takes a format in quotation marks and a zone",
                "write \(TransformName.date.example), or a path instead of the zone")
            return nil
        }
        if let fault = DateFormat.fault(in: format) {
            error(scalar.location(at: arguments[0].offset), fault.message, fault.remedy)
            return nil
        }
        if !format.contains("%") {
            warning(
                scalar.location(at: arguments[0].offset),
                "the format '\(format)' contains no '%' and is sent unchanged",
                "write the conversions of strftime, as in \(TransformName.date.example)")
        }
        guard check(zone: arguments[1], scalar) else { return nil }
        return .date(
            format: constant(format), zone: add(arguments[1].operands, of: hole, from: scalar))
    }

    /// Checks every zone written in the file itself.
    private mutating func check(zone: Template.Argument, _ scalar: ScalarSource) -> Bool {
        let location = scalar.location(at: zone.offset)
        guard ZoneFiles.areReadable else {
            error(location, "this machine has no library for time zones", Self.installLibrary)
            return false
        }
        var table = ZoneTable()
        for operand in zone.operands {
            switch operand {
            case .path where !ZoneFiles.areThere:
                error(location, Self.noZones, Self.installZones)
                return false
            case .path: break
            case .text(let name):
                if table.zone(named: Array(name.utf8)) != nil { continue }
                let near = Suggestion.nearest(to: name, among: ZoneFiles.names)
                let remedy =
                    near.map { "did you mean '\($0)'?" }
                    ?? "write a name such as \"Europe/Berlin\" or \"UTC\""
                if ZoneFiles.areThere {
                    error(location, "unknown time zone '\(name)'", remedy)
                } else {
                    error(location, Self.noZones, Self.installZones)
                }
                return false
            case .number, .boolean:
                error(location, "a time zone must be a name", "write \"Europe/Berlin\" or \"UTC\"")
                return false
            }
        }
        return true
    }

    private static var noZones: String {
        "this machine has no time zone data in \(ZoneFiles.directory)"
    }

    private static let installLibrary =
        "install CCTZ: libcctz2 on Debian 12, libcctz2.4 on Debian 13"

    private static let installZones = "install the package tzdata, or write \"UTC\""

    private mutating func map(
        _ arguments: [Template.Argument], of hole: Template.Hole, _ scalar: ScalarSource,
        _ location: MappingLocation
    ) -> MappingPlan.Transform? {
        var choices: [MappingPlan.Choice] = []
        var names: [String] = []
        for argument in arguments {
            guard let key = argument.key, let name = Self.name(of: key) else {
                error(
                    scalar.location(at: argument.offset), "'map' takes pairs: name = value",
                    "write \(TransformName.map.example)")
                return nil
            }
            if names.contains(name) {
                error(scalar.location(at: argument.offset), "duplicate \(name) in 'map'")
                return nil
            }
            if names.last == "else" {
                error(
                    scalar.location(at: argument.offset), "nothing can follow 'else' in 'map'",
                    "put else = … last")
                return nil
            }
            names.append(name)
            let value = add(argument.operands, of: hole, from: scalar)
            choices.append(MappingPlan.Choice(key: operand(ofKey: key), value: value))
        }
        guard !choices.isEmpty else {
            error(location, "'map' is empty", "write \(TransformName.map.example)")
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
