internal import Delivery
internal import JSON

extension Mapper {
    /// Gives the first notification its device token, and makes copies of it for further ones.
    mutating func takeTokens(in bytes: RawSpan, into result: inout MappedRecord) {
        let common = result.notifications[0].drop
        var taken = 0
        do throws(MappingFault) {
            if evaluator.plan.fields.deviceTokens.isEmpty {
                guard try !takeArray(in: bytes, common, &taken, into: &result) else { return }
                try take(
                    evaluator.plan.fields.deviceToken, 0, in: bytes, common, &taken, into: &result)
            } else {
                for index in evaluator.plan.fields.deviceTokens.indices {
                    let template = evaluator.plan.fields.deviceTokens[index]
                    try take(template, index, in: bytes, common, &taken, into: &result)
                }
                if taken == 0 { throw MappingFault(cause: .absent) }
            }
        } catch {
            note(error, field: "device_tokens", in: &result.notifications[0])
        }
    }

    /// Makes notifications of an array of tokens; false when there is none.
    private mutating func takeArray(
        in bytes: RawSpan, _ common: Drop?, _ taken: inout Int, into result: inout MappedRecord
    ) throws(MappingFault) -> Bool {
        let template = evaluator.plan.fields.tokenArray
        guard template >= 0 else { return false }
        let hole = evaluator.plan.templates[Int(template)].aloneHole
        var list = -1
        var rest: Int32?
        switch try evaluator.value(ofHole: hole, in: bytes) {
        case .absent where evaluator.plan.fields.deviceToken >= 0: return false
        case .absent: throw MappingFault(cause: .absent, hole: hole)
        case .everyElement(let array, let path): (list, rest) = (array, path)
        case .node(let node) where evaluator.tape[node].kind == .array: list = node
        default: throw MappingFault(cause: .unfit(.array), hole: hole)
        }
        guard count(list) <= Self.tokenLimit else {
            throw MappingFault(cause: .invalid(.tokenCount), hole: hole)
        }
        let children = evaluator.tape.children(of: list)
        var element = children.first
        var position = 0
        while element < children.end {
            let value = rest.map { evaluator.node($0, from: element, in: bytes) } ?? .node(element)
            if case .node(let node) = value {
                let fault = copyToken(node, hole, in: bytes)
                add(fault, position, common, &taken, into: &result)
            }
            position += 1
            element = evaluator.tape.next(after: element)
        }
        if taken == 0 { throw MappingFault(cause: .absent, hole: hole) }
        return true
    }

    private func count(_ list: Int) -> Int {
        let children = evaluator.tape.children(of: list)
        var element = children.first
        var count = 0
        while element < children.end {
            count += 1
            element = evaluator.tape.next(after: element)
        }
        return count
    }

    /// Copies an element of an array of tokens into the token buffer.
    private mutating func copyToken(
        _ node: Int, _ hole: Int32, in bytes: RawSpan
    ) -> MappingFault? {
        token.removeAll(keepingCapacity: true)
        switch evaluator.tape[node].kind {
        case .string: token.appendText(of: node, on: evaluator.tape, in: bytes)
        case .number: token.appendJSON(of: node, on: evaluator.tape, in: bytes)
        default: return MappingFault(cause: .unfit(.text), hole: hole)
        }
        return nil
    }

    /// Takes the token that a template gives; an absent optional one makes no notification.
    private mutating func take(
        _ template: Int32, _ position: Int, in bytes: RawSpan, _ common: Drop?,
        _ taken: inout Int, into result: inout MappedRecord
    ) throws(MappingFault) {
        token.removeAll(keepingCapacity: true)
        var fault: MappingFault?
        do throws(MappingFault) {
            guard try evaluator.appendText(template, to: &token, in: bytes) else { return }
        } catch { fault = error }
        add(fault, position, common, &taken, into: &result)
    }

    /// Gives one more notification the token in the buffer, or the reason why it has none.
    private mutating func add(
        _ fault: MappingFault?, _ position: Int, _ common: Drop?, _ taken: inout Int,
        into result: inout MappedRecord
    ) {
        let target = taken == 0 ? 0 : copyFirst(in: &result)
        taken += 1
        result.notifications[target].index = position
        result.notifications[target].drop = common
        if let fault {
            return note(fault, field: "device_token", in: &result.notifications[target])
        }
        if let reason = FieldCheck.normalize(token: &token) {
            let fault = MappingFault(cause: .invalid(reason))
            return note(fault, field: "device_token", in: &result.notifications[target])
        }
        for other in 0..<target where result.notifications[other].deviceToken == token {
            result.notifications[target].drop = Drop(
                .duplicate,
                "\(evaluator.plan.fileName): this device token stands in the record before")
            break
        }
        result.notifications[target].deviceToken.append(token, from: 0, to: token.count)
    }

    /// Appends a copy of the first notification, without its token.
    private func copyFirst(in result: inout MappedRecord) -> Int {
        let target = result.append()
        let first = result.notifications[0]
        result.notifications[target].ownID = first.ownID
        result.notifications[target].bundleID.append(contentsOf: first.bundleID)
        result.notifications[target].pushType = first.pushType
        result.notifications[target].priority = first.priority
        result.notifications[target].collapseID.append(contentsOf: first.collapseID)
        result.notifications[target].expiration = first.expiration
        result.notifications[target].expiresAt = first.expiresAt
        result.notifications[target].eventTime = first.eventTime
        result.notifications[target].payload.append(contentsOf: first.payload)
        return target
    }
}
