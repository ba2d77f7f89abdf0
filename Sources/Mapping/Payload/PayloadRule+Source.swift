extension PayloadRule {
    /// What is known about a value before there is an event.
    private enum Presence: Equatable {
        case never, maybe
        /// Always present; with the string if it has no holes.
        case always(String?)
    }

    /// Whether a written payload satisfies the rule for every event; `hasPriority` is true when a
    /// priority is written.
    func verdict(
        on payload: MappingSource, hasPriority: Bool, isWallet: Bool = false
    ) -> Verdict {
        // Wallet asks for the pass, whatever the push says.
        if isWallet, kind == .displays { return .open }
        let verdict = verdict(on: payload)
        guard verdict == .broken else { return verdict }
        let mayBeExcepted = exceptions.contains { exception in
            switch exception {
            case .emptyWithOwnKeys: Self.isEmptyWithOwnKeys(payload)
            case .silentAtPriorityFive:
                hasPriority
                    && Self.presence(of: ["aps", "content-available"], in: payload) != .never
            }
        }
        return mayBeExcepted ? .open : .broken
    }

    private static func isEmptyWithOwnKeys(_ payload: MappingSource) -> Bool {
        guard case .map(let members, _) = payload, members.contains(where: { $0.key != "aps" }),
            let aps = members.last(where: { $0.key == "aps" }), case .map(let inside, _) = aps.value
        else { return false }
        return inside.isEmpty
    }

    private func verdict(on payload: MappingSource) -> Verdict {
        if !events.isEmpty {
            switch Self.presence(of: ["aps", "event"], in: payload) {
            case .always(let word?) where !events.contains(word): return .kept
            case .always(_?): break
            // The rule may not apply without knowing the event: that depends on the record.
            default: return plainVerdict(on: payload) == .kept ? .kept : .open
            }
        }
        return plainVerdict(on: payload)
    }

    private func plainVerdict(on payload: MappingSource) -> Verdict {
        let found = paths.map { Self.presence(of: $0, in: payload) }
        switch kind {
        case .oneOf:
            if found.contains(where: { if case .always = $0 { true } else { false } }) {
                return .kept
            }
            return found.contains(.maybe) ? .open : .broken
        case .displays:
            let others = found.dropFirst()
            let context = events.isEmpty ? PayloadContext.alert : .activityAlert
            let alert = Self.display(of: paths[0], in: payload, context)
            let hasOther = others.contains { if case .always = $0 { true } else { false } }
            if alert == .kept || hasOther { return .kept }
            return alert == .open || others.contains(.maybe) ? .open : .broken
        case .noneOf:
            if found.contains(where: { if case .always = $0 { true } else { false } }) {
                return .broken
            }
            return found.contains(.maybe) ? .open : .kept
        case .exclusive:
            let present = found.count { if case .always = $0 { true } else { false } }
            let possible = found.count { $0 != .never }
            return present > 1 ? .broken : possible > 1 ? .open : .kept
        case .text:
            switch found[0] {
            case .always(let text?): return text.isEmpty ? .broken : .kept
            case .always(nil), .maybe: return .open
            case .never: return .broken
            }
        case .equals(let text):
            switch found[0] {
            case .always(let word?): return word == text ? .kept : .broken
            case .always(nil), .maybe: return .open
            case .never: return .broken
            }
        }
    }

    /// Whether the alert at a path displays something: `kept` if it always does.
    private static func display(
        of path: [String], in source: MappingSource, _ context: PayloadContext
    ) -> Verdict {
        guard let name = path.first else { return display(of: source, context) }
        guard case .map(let members, _) = source else {
            return presence(of: path, in: source) == .never ? .broken : .open
        }
        guard let member = members.last(where: { $0.key == name }) else { return .broken }
        return display(of: Array(path.dropFirst()), in: member.value, context)
    }

    private static func display(
        of alert: MappingSource, _ context: PayloadContext
    ) -> Verdict {
        guard case .map(let members, _) = alert else { return displayOfString(alert) }
        let known = context.members ?? []
        let found = members.map { member -> Verdict in
            if displayedMembers.contains(member.key) {
                return context == .activityAlert
                    ? displayOfLocalized(member.value) : displayOfString(member.value)
            }
            // A misspelled key is one mistake, not two.
            return known.contains { $0.name == member.key } ? .broken : .open
        }
        return found.contains(.kept) ? .kept : found.contains(.open) ? .open : .broken
    }

    /// The same for a member that may be localized.
    private static func displayOfLocalized(_ source: MappingSource) -> Verdict {
        guard case .map(let members, _) = source else { return displayOfString(source) }
        if let key = members.last(where: { $0.key == "loc-key" }) {
            return displayOfString(key.value)
        }
        return members.contains { $0.key == PayloadCompiler.spreadKey } ? .open : .broken
    }

    private static func displayOfString(_ source: MappingSource) -> Verdict {
        guard let scalar = ScalarSource(source) else { return .open }
        guard let template = try? TemplateParser.parse(scalar.text) else { return .open }
        if scalar.style == .plain, PlainScalar.read(scalar.text) == .null { return .broken }
        guard !template.holes.isEmpty else { return scalar.text.isEmpty ? .broken : .kept }
        let hasText = template.parts.contains { if case .text = $0 { true } else { false } }
        return hasText && !template.holes.contains(where: \.isOptional) ? .kept : .open
    }

    private static func presence(of path: [String], in source: MappingSource) -> Presence {
        guard let name = path.first else { return presence(of: source) }
        switch source {
        case .list: return .never
        case .scalar:
            if case .always(nil) = presence(of: source) { return .maybe }
            return presence(of: source) == .maybe ? .maybe : .never
        case .map(let members, _):
            guard let member = members.last(where: { $0.key == name }) else {
                let mayBeSpread = members.contains { $0.key == PayloadCompiler.spreadKey }
                return mayBeSpread && name != "aps" ? .maybe : .never
            }
            return presence(of: Array(path.dropFirst()), in: member.value)
        }
    }

    private static func presence(of source: MappingSource) -> Presence {
        guard let scalar = ScalarSource(source) else { return .always(nil) }
        guard let template = try? TemplateParser.parse(scalar.text) else { return .maybe }
        if template.holes.contains(where: \.isOptional) { return .maybe }
        guard let text = template.constantText else { return .always(nil) }
        if scalar.style == .plain, PlainScalar.read(text) == .null { return .never }
        return .always(text)
    }
}
