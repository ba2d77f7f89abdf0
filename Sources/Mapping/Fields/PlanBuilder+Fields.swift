internal import Delivery
internal import Spelling

extension PlanBuilder {
    /// Compiles the fields of a notification block.
    mutating func compile(fields: [FieldName: MappingMember], of location: MappingLocation) {
        if let forEach = fields[.forEach] { compile(forEach: forEach) }
        // The push type determines which values the other fields accept.
        if let type = fields[.pushType] {
            compile(pushType: type)
        } else {
            let isActivity = fields[.liveActivity] != nil || fields[.broadcast] != nil
            block.fields.fixedPushType = isActivity ? .liveactivity : .alert
        }
        for name in [FieldName.broadcast, .liveActivity] where fields[name] != nil {
            requireActivity(fields[.pushType], with: name)
        }
        let policy = policy(fields[.policy])
        block.fields.hashesCollapseID = policy.hashesCollapseID
        if let broadcast = fields[.broadcast] {
            compile(broadcast: broadcast, of: fields)
        } else {
            compile(tokens: fields, of: location)
        }
        for name in FieldName.allCases {
            if let member = fields[name] { compile(member, named: name) }
        }
        compile(times: fields)
        addStandardEventTime()
        if cannotChooseApp {
            error(
                location, "it is not clear which of 'apns.apps' this notification is for",
                "write app: ${path.to.name} in 'apns', or bundle_id: here")
        }
        if block.fields.fixedPushType == .liveactivity, fields[.priority] == nil {
            warning(
                location,
                "a Live Activity without 'priority' is sent with 10, which counts against Apple's"
                    + " budget",
                block.isBroadcast
                    ? "write priority: 10, 5 or 1" : "write priority: 5 or priority: 10")
        }
        checkBundleID(suits: fields[.pushType], at: location)
        compileContent(of: fields, policy, at: location)
    }

    private mutating func compile(_ member: MappingMember, named name: FieldName) {
        switch name {
        case .priority:
            let destination: Destination.Kind = block.isBroadcast ? .channel : .device
            block.fields.priority = field(member) {
                Self.fault(priority: $0, of: $1, to: destination)
            }
        case .collapseID:
            let hashes = block.fields.hashesCollapseID
            block.fields.collapseID = field(member) { text, _ in
                hashes ? nil : FieldCheck.collapseID(Array(text.utf8)).map(\.message)
            }
            if !hashes { refuseLongText(of: member) }
        case .eventTime:
            block.fields.eventTime = field(member, wanted: .time) { text, _ in
                Self.fault(time: text, isExpiration: false)
            }
        case .bundleID:
            let builder = self
            block.fields.bundleID = field(member) { text, _ in builder.fault(bundleID: text) }
            noteBundleID(of: member)
        case .ownID:
            block.fields.ownID = field(member) { text, _ in
                NotificationID(text.utf8) == nil ? MappingFault.Reason.identifier.message : nil
            }
        case .environment:
            block.fields.environment = field(member) { text, _ in
                text.isEmpty ? "write production or development" : nil
            }
        case .expiration:
            block.fields.expiration = field(member, wanted: .time) { text, _ in
                Self.fault(time: text, isExpiration: true)
            }
        case .timeToLive:
            block.fields.timeToLive = field(member) { text, _ in
                TimeText.span(Array(text.utf8)) == nil ? "it must be a positive duration" : nil
            }
        case .forEach, .deviceToken, .deviceTokens, .broadcast, .pushType, .payload, .liveActivity,
            .policy:
            break
        }
    }

    private static func fault(time text: String, isExpiration: Bool) -> String? {
        switch TimeText.read(Array(text.utf8)).fault(isExpiration: isExpiration) {
        case .zeroEventTime?, .neverEventTime?: "it is not a point in time"
        case let fault: fault?.message
        }
    }

    /// Refuses a collapse ID that is too long whatever the event contains.
    private mutating func refuseLongText(of member: MappingMember) {
        guard let scalar = ScalarSource(member.value),
            let template = try? TemplateParser.parse(scalar.text), !template.holes.isEmpty
        else { return }
        let count = template.parts.reduce(0) { sum, part in
            if case .text(let text) = part { sum + text.utf8.count } else { sum }
        }
        guard count > FieldCheck.collapseIDLimit else { return }
        error(
            scalar.location,
            "'collapse_id' has \(count) bytes without its templates; the limit is"
                + " \(FieldCheck.collapseIDLimit)",
            "shorten it, or write policy: {collapse_id_too_long: hash}")
    }

    /// Adds a scalar field; `check` validates a string without holes.
    mutating func field(
        _ member: MappingMember, refusesOptional: String? = nil, wanted: WantedKinds = .text,
        check: (String, PushType?) -> String?
    ) -> Int32 {
        guard let scalar = ScalarSource(member.value) else {
            error(
                member.value.location, "'\(member.key)' must be a string",
                "write \(member.key): ${path}")
            return -1
        }
        let isNull = scalar.style == .plain && PlainScalar.read(scalar.text) == .null
        if scalar.text.isEmpty || isNull {
            error(
                member.keyLocation, "'\(member.key)' has no value",
                "write \(member.key): ${path}, or remove it")
            return -1
        }
        guard let template = parse(scalar) else { return -1 }
        if let text = template.constantText, let message = check(text, block.fields.fixedPushType) {
            let isQuestion = message.hasPrefix("did you mean")
            error(
                scalar.location,
                isQuestion
                    ? "'\(member.key)' cannot be '\(text)'"
                    : Self.refusal(of: text, by: member.key, message),
                isQuestion
                    ? message
                    : Self.remedy(ofKey: member.key))
        }
        let use = TemplateUse(refusesOptional: refusesOptional, wanted: wanted)
        return add(template, from: scalar, use: use)
    }

    /// What to write instead of a value that a key does not accept.
    private static func remedy(ofKey key: String) -> String? {
        if key == "channel" { return FieldName.broadcast.remedy }
        return FieldName(rawValue: key)?.remedy ?? ActivityKey(rawValue: key)?.remedy
    }

    /// Says that a field does not accept a string: what it must be, or the rule that is broken.
    private static func refusal(of text: String, by key: String, _ rule: String) -> String {
        let start = "it must be "
        guard rule.hasPrefix(start), rule.utf8.count <= 60 else {
            return "'\(key)' cannot be '\(text)': \(rule)"
        }
        return "'\(key)' must be \(rule.dropFirst(start.count)), not '\(text)'"
    }

    private mutating func compile(
        tokens fields: [FieldName: MappingMember], of location: MappingLocation
    ) {
        let why = "without a device token there is nothing to send"
        if let many = fields[.deviceTokens], fields[.forEach] != nil {
            return error(
                many.keyLocation, "'device_tokens' is not valid with 'for_each'",
                "write device_token: it is evaluated for each element")
        }
        switch (fields[.deviceToken], fields[.deviceTokens]) {
        case (nil, nil):
            error(location, "'device_token' is missing", "write device_token: ${path.to.token}")
        case (_?, let both?):
            error(
                both.keyLocation, "'device_token' and 'device_tokens' are mutually exclusive",
                "remove one of them")
        case (let one?, nil):
            block.fields.deviceToken = field(one, refusesOptional: why) { text, _ in
                FieldCheck.fault(token: Array(text.utf8)).map(\.message)
            }
            warnOfOneToken(one)
        case (nil, let many?):
            guard case .list(let elements, _) = many.value else {
                return compile(tokenArray: many, why)
            }
            var templates: [Int32] = []
            for element in elements {
                let member = MappingMember(
                    key: "device_tokens", keyLocation: many.keyLocation, value: element)
                templates.append(
                    field(member) { text, _ in
                        FieldCheck.fault(token: Array(text.utf8)).map(\.message)
                    })
            }
            if elements.isEmpty {
                error(many.keyLocation, "'device_tokens' is empty", "write ${path.to.tokens}")
            }
            if elements.count > Mapper.tokenLimit {
                error(
                    many.keyLocation, "'device_tokens' has more than \(Mapper.tokenLimit) elements",
                    "write at most \(Mapper.tokenLimit)")
            }
            block.fields.deviceTokens = add(tokenTemplates: templates)
        }
    }

    /// A single template for all device tokens: an array of the event, or a comma-separated string.
    private mutating func compile(tokenArray member: MappingMember, _ why: String) {
        block.fields.tokenArray = field(member, refusesOptional: why, wanted: .tokens) { text, _ in
            for token in text.split(separator: ",") {
                let token = token.trimmingPrefix(" ")
                if let reason = FieldCheck.fault(token: Array(token.utf8)) { return reason.message }
            }
            return nil
        }
    }

    private mutating func compile(pushType member: MappingMember) {
        block.fields.pushType = field(member) { text, _ in
            if PushType(rawValue: text) != nil { return nil }
            let known = PushType.allCases.map(\.rawValue)
            return Suggestion.question(about: text, among: known)
                ?? "it is not one of Apple's push types"
        }
        guard let scalar = ScalarSource(member.value) else { return }
        block.fields.fixedPushType = PushType(rawValue: scalar.text)
    }

    private static func fault(
        priority text: String, of type: PushType?, to destination: Destination.Kind
    ) -> String? {
        var token = Array(text.utf8)
        _ = WholeNumber.shorten(&token)
        guard let priority = UInt8(String(decoding: token, as: UTF8.self)),
            [10, 5, 1].contains(priority)
        else {
            return "it must be 10, 5 or 1"
        }
        guard let type, case let priorities = destination.allowedPriorities(for: type),
            !priorities.contains(priority)
        else { return nil }
        let allowed = priorities.map { String($0) }.joined(separator: ", ")
        return "\(type.rawValue) pushes take \(allowed)"
    }

    /// `ttl` can only be combined with the expiration 0.
    private mutating func compile(times fields: [FieldName: MappingMember]) {
        guard let ttl = fields[.timeToLive], let scalar = ScalarSource(ttl.value) else { return }
        if let span = TimeText.span(Array(scalar.text.utf8)), span > 30 * 86_400_000 {
            warning(
                scalar.location, "'ttl' is over 30 days: Apple stores nothing for that long",
                "write ttl: 30d or less")
        }
        if let expiration = fields[.expiration], ScalarSource(expiration.value)?.text != "0" {
            error(
                expiration.keyLocation, "'ttl' can only be combined with expiration 0",
                "remove 'expiration' or 'ttl'")
        }
    }
}
