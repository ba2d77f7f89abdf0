internal import Delivery
internal import JSON

/// What a block's notifications share while device tokens are assigned to them.
struct TokenTaking {
    /// The index of the block's first notification in the result.
    var first = 0
    /// How many notifications have a token, or a reason for having none.
    var taken = 0
    /// The reason to drop all of them, whatever their tokens.
    var common: Drop?
    /// True when the record may produce several notifications, according to event and connector.
    var isOneOfSeveral = false
    /// True when the block may contain several tokens.
    var isList = false
    /// The hole at fault when all tokens are invalid.
    var hole: Int32 = -1
    /// The key that the tokens come from.
    var field = "device_token"
}

extension Mapper {
    /// Assigns a device token to the block's first notification, and copies it for further tokens.
    mutating func takeTokens(in bytes: RawSpan, into result: inout MappedRecord) {
        let first = result.count - 1
        tokens = TokenTaking(first: first, common: result.notifications[first].drop)
        tokens.isOneOfSeveral = evaluator.plan.matchesAll && evaluator.plan.blocks.count > 1
        result.notifications[first].isOneOfSeveral = tokens.isOneOfSeveral
        do throws(MappingFault) {
            guard !result.notifications[first].isBroadcast else {
                return try takeChannel(0, in: bytes, into: &result)
            }
            if evaluator.fields.tokenArray >= 0, try takeArray(in: bytes, into: &result) { return }
            if evaluator.fields.deviceTokens.isEmpty {
                try take(evaluator.fields.deviceToken, 0, in: bytes, into: &result)
                if tokens.taken == 0 { throw MappingFault(cause: .absent) }
            } else {
                try takeList(in: bytes, into: &result)
            }
        } catch {
            note(error, field: tokens.field, in: &result.notifications[first])
        }
        if tokens.taken == 0 {
            result.notifications[first].destination.identifier.removeAll(keepingCapacity: true)
        }
    }

    /// Assigns its device token to the notification of an element of `for_each`; whether its list
    /// has several is in ``tokens``.
    mutating func takeToken(
        of index: Int, _ position: Int, in bytes: RawSpan, into result: inout MappedRecord
    ) {
        tokens.first = index
        tokens.taken = 0
        tokens.common = result.notifications[index].drop
        tokens.field = "device_token"
        tokens.isOneOfSeveral =
            tokens.isList || evaluator.plan.matchesAll && evaluator.plan.blocks.count > 1
        do throws(MappingFault) {
            guard !result.notifications[index].isBroadcast else {
                return try takeChannel(position, in: bytes, into: &result)
            }
            try take(evaluator.fields.deviceToken, position, in: bytes, into: &result)
            if tokens.taken == 0 { throw MappingFault(cause: .absent) }
        } catch {
            result.notifications[index].destination.identifier.removeAll(keepingCapacity: true)
            note(error, field: tokens.field, in: &result.notifications[index])
        }
    }

    /// An event must not contain both kinds of tokens.
    private mutating func refuseSingle(in bytes: RawSpan) throws(MappingFault) {
        let template = evaluator.fields.deviceToken
        guard template >= 0 else { return }
        let hole = evaluator.plan.templates[Int(template)].aloneHole
        if case .absent = try evaluator.value(ofHole: hole, in: bytes) { return }
        throw MappingFault(cause: .invalid(.destination(.bothTokens)))
    }

    /// Produces a notification for each template of a literal list.
    private mutating func takeList(
        in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) {
        tokens.field = "device_tokens"
        let list = evaluator.fields.deviceTokens.range
        beginList(of: list.count, in: &result)
        for index in list where !evaluator.isTooExpensive {
            let template = evaluator.plan.tokenTemplates[index]
            try take(template, index - list.lowerBound, in: bytes, into: &result)
        }
        if tokens.taken == 0 { throw MappingFault(cause: .absent) }
    }

    /// Produces notifications from one template's value; false when a canonical event has none.
    private mutating func takeArray(
        in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) -> Bool {
        tokens.field = "device_tokens"
        let template = evaluator.fields.tokenArray
        let hole = evaluator.plan.templates[Int(template)].aloneHole
        tokens.hole = hole
        guard hole >= 0 else {
            try takeText(template, in: bytes, into: &result)
            return true
        }
        let value = try evaluator.value(ofHole: hole, in: bytes)
        if case .absent = value {
            if evaluator.fields.deviceToken >= 0 {
                tokens.field = "device_token"
                return false
            }
            throw MappingFault(cause: .absent, hole: hole)
        }
        try refuseSingle(in: bytes)
        switch value {
        case .everyElement(let array, let rest):
            try takeElements(of: array, rest, in: bytes, into: &result)
        case .node(let node) where evaluator.tape[node].kind == .array:
            try takeElements(of: node, nil, in: bytes, into: &result)
        case .text:
            try takeText(template, in: bytes, into: &result)
        case .node(let node) where evaluator.tape[node].kind == .string:
            try takeText(template, in: bytes, into: &result)
        default: throw MappingFault(cause: .invalid(.tokenList), hole: hole)
        }
        return true
    }

    private mutating func takeElements(
        of list: Int, _ rest: Int32?, in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) {
        let count = evaluator.count(list)
        guard count > 0 else { throw MappingFault(cause: .invalid(.noDevices), hole: tokens.hole) }
        try checkCount(count)
        beginList(of: count, in: &result)
        let children = evaluator.tape.children(of: list)
        var element = children.first
        var position = 0
        while element < children.end, !evaluator.isTooExpensive {
            let value = rest.map { evaluator.node($0, from: element, in: bytes) } ?? .node(element)
            if case .node(let node) = value, evaluator.tape[node].kind != .null {
                let fault = copyToken(node, in: bytes)
                add(fault, position, into: &result)
            }
            position += 1
            element = evaluator.tape.next(after: element)
        }
        if tokens.taken == 0 { throw MappingFault(cause: .absent, hole: tokens.hole) }
    }

    private mutating func checkCount(_ count: Int) throws(MappingFault) {
        guard tokens.first + count <= Self.tokenLimit else {
            throw MappingFault(cause: .invalid(.tokenCount), hole: tokens.hole)
        }
    }

    private mutating func beginList(of count: Int, in result: inout MappedRecord) {
        guard count > 1 else { return }
        tokens.isOneOfSeveral = true
        tokens.isList = true
        result.notifications[tokens.first].isOneOfSeveral = true
        tokenIndex.reset()
    }

    /// Copies an element of a token array to the token buffer.
    private mutating func copyToken(_ node: Int, in bytes: RawSpan) -> MappingFault? {
        token.removeAll(keepingCapacity: true)
        switch evaluator.tape[node].kind {
        case .string: token.appendText(of: node, on: evaluator.tape, in: bytes)
        case .number: token.appendJSON(of: node, on: evaluator.tape, in: bytes)
        default: return MappingFault(cause: .unfit(.text), hole: tokens.hole)
        }
        return nil
    }

    /// Produces notifications from a string of comma-separated tokens. Empty ones are skipped.
    private mutating func takeText(
        _ template: Int32, in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) {
        guard try evaluator.take(template, to: &tokenText, in: bytes) else { return }
        var count = 1
        for byte in tokenText where byte == UInt8(ascii: ",") { count += 1 }
        try checkCount(count)
        beginList(of: count, in: &result)
        var start = 0
        for position in 0..<count where !evaluator.isTooExpensive {
            var end = start
            while end < tokenText.count, tokenText[end] != UInt8(ascii: ",") { end += 1 }
            token.removeAll(keepingCapacity: true)
            for index in start..<end where !isSpace(tokenText[index]) || !token.isEmpty {
                token.append(tokenText[index])
            }
            while let last = token.last, isSpace(last) { token.removeLast() }
            if !token.isEmpty { add(nil, position, into: &result) }
            start = end + 1
        }
        if tokens.taken == 0, !evaluator.isTooExpensive {
            throw MappingFault(cause: .invalid(.emptyToken), hole: tokens.hole)
        }
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Adds the token of a template; an absent optional one yields no notification.
    mutating func take(
        _ template: Int32, _ position: Int, in bytes: RawSpan, into result: inout MappedRecord
    ) throws(MappingFault) {
        var fault: MappingFault?
        do throws(MappingFault) {
            guard try evaluator.take(template, to: &token, in: bytes) else { return }
        } catch { fault = error }
        add(fault, position, into: &result)
    }

    /// Adds a notification with the token in the buffer, or with the reason why it is invalid.
    private mutating func add(
        _ fault: MappingFault?, _ position: Int, into result: inout MappedRecord
    ) {
        let target = tokens.taken == 0 ? tokens.first : copyFirst(in: &result)
        tokens.taken += 1
        // It depends neither on which blocks match nor on which tokens are valid, so that no change
        // of a condition gives an event that is read again another apns-id.
        result.notifications[target].index = evaluator.block * Self.tokenLimit + position
        result.notifications[target].isOneOfSeveral = tokens.isOneOfSeveral
        result.notifications[target].drop = tokens.common
        if let fault {
            result.notifications[target].destination.identifier.removeAll(keepingCapacity: true)
            return note(fault, field: tokens.field, in: &result.notifications[target])
        }
        let isBroadcast = result.notifications[target].isBroadcast
        let reason =
            isBroadcast ? FieldCheck.fault(channelID: token) : FieldCheck.normalize(token: &token)
        if let reason {
            let fault = MappingFault(cause: .invalid(reason))
            result.notifications[target].destination.identifier.removeAll(keepingCapacity: true)
            return note(fault, field: tokens.field, in: &result.notifications[target])
        }
        if tokens.isList, tokens.common == nil,
            tokenIndex.contains(token, adding: target, in: result.notifications)
        {
            let name = isBroadcast ? "channel" : "device token"
            let message =
                "\(evaluator.plan.fileName): this \(name) appears earlier in the record"
            result.notifications[target].drop = Drop(
                .duplicate, message, specifics: elementMessage)
        }
        // Whatever the buffer contains afterwards, the next token overwrites it.
        swap(&result.notifications[target].destination.identifier, &token)
    }

    /// Appends a copy of the block's first notification, without its token.
    private mutating func copyFirst(in result: inout MappedRecord) -> Int {
        let target = result.append()
        let first = result.notifications[tokens.first]
        result.notifications[target].destination.kind = first.destination.kind
        result.notifications[target].ownID = first.ownID
        result.notifications[target].app = first.app
        result.notifications[target].bundleID.append(contentsOf: first.bundleID)
        result.notifications[target].pushType = first.pushType
        result.notifications[target].priority = first.priority
        result.notifications[target].isPriorityDefault = first.isPriorityDefault
        result.notifications[target].collapseID.append(contentsOf: first.collapseID)
        result.notifications[target].expiration = first.expiration
        result.notifications[target].expiresAt = first.expiresAt
        result.notifications[target].usesTimeToLive = first.usesTimeToLive
        result.notifications[target].eventTime = first.eventTime
        result.notifications[target].payload.append(contentsOf: first.payload)
        evaluator.spend(first.payload.count)
        result.notifications[target].isTruncated = first.isTruncated
        result.notifications[target].labels.append(contentsOf: first.labels)
        result.notifications[target].labelFault = first.labelFault
        return target
    }
}
