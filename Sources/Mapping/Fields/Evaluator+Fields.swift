internal import Delivery
internal import Encoding
internal import JSON

extension Evaluator {
    /// Writes a template as a string to `text`; false when it is to be omitted.
    ///
    /// After a fault, or when it is omitted, the content of `text` is unspecified.
    mutating func take(
        _ template: Int32, to text: inout [UInt8], in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        if let string = loneString(template, in: bytes) {
            text.replace(with: bytes.extracting(string))
            spend(string.count)
            guard workLeft >= 0 else { throw tooExpensive(hole(of: template)) }
            return true
        }
        // Moved out and back, so that it can be written while the rest is read.
        var out = ByteBuffer()
        swap(&out, &output)
        defer { swap(&out, &output) }
        out.removeAll()
        let isWritten = try appendTextSpending(template, to: &out, in: bytes)
        if isWritten { text.replace(with: out) }
        return isWritten
    }

    /// Writes a template to an empty buffer. What is written counts, even if it is then left out
    /// because of what follows.
    private mutating func appendTextSpending(
        _ template: Int32, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        let isWritten: Bool
        do throws(MappingFault) {
            isWritten = try appendText(template, to: &out, in: bytes)
        } catch {
            spend(out.count)
            throw error
        }
        spend(out.count)
        guard workLeft >= 0 else { throw tooExpensive(hole(of: template)) }
        return isWritten
    }

    /// The range of a template's string in the event, if the template is a single string without
    /// escapes.
    private mutating func loneString(_ template: Int32, in bytes: RawSpan) -> Range<Int>? {
        let hole = hole(of: template)
        guard hole >= 0 else { return nil }
        let path = plan.holes[Int(hole)].lonePath
        guard path >= 0, let found = location(of: path, in: bytes) else { return nil }
        let node = tape[found]
        guard node.kind == .string, !node.hasEscapes else { return nil }
        return Int(node.start)..<Int(node.end)
    }

    /// True for the template of an optional path that leads nowhere, or to null.
    private mutating func isOmitted(_ template: Int32, in bytes: RawSpan) -> Bool {
        let path = plan.templates[Int(template)].optionalPath
        guard path >= 0, case .absent = node(path, in: bytes) else { return false }
        return true
    }

    /// Writes the complete payload.
    mutating func takePayload(
        to payload: inout [UInt8], in bytes: RawSpan
    ) throws(MappingFault) {
        var out = ByteBuffer()
        swap(&out, &output)
        defer { swap(&out, &output) }
        out.removeAll()
        do throws(MappingFault) {
            try appendPayload(to: &out, in: bytes)
        } catch {
            spend(out.count)
            throw error
        }
        spend(out.count)
        payload.replace(with: out)
    }

    /// The object of the event that the payload consists of; nil when the payload is composed.
    mutating func payloadNode(in bytes: RawSpan) -> Int? {
        let path = plan.blocks[block].payloadPath
        guard path >= 0, let found = location(of: path, in: bytes), tape[found].kind == .object
        else { return nil }
        return found
    }

    /// Writes a field's value to the token buffer; false when the field has none.
    mutating func takeText(
        _ template: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Bool {
        guard template >= 0, !isOmitted(template, in: bytes) else { return false }
        var text: [UInt8] = []
        swap(&text, &token)
        defer { swap(&text, &token) }
        return try take(template, to: &text, in: bytes)
    }

    /// The hole at fault when a field is invalid: the only one, or none.
    func hole(of template: Int32) -> Int32 {
        template < 0 ? -1 : plan.templates[Int(template)].aloneHole
    }

    /// A field with a point in time.
    mutating func time(
        _ template: Int32, _ use: TimeUse, in bytes: RawSpan
    ) throws(MappingFault) -> WrittenTime? {
        guard template >= 0, !isOmitted(template, in: bytes) else { return nil }
        let hole = hole(of: template)
        if hole >= 0 {
            switch try value(ofHole: hole, in: bytes) {
            // The record's own timestamp, which is in milliseconds.
            case .time(let time): return .at(time)
            case .node(let node) where tape[node].kind == .array:
                let time = TimeText.milliseconds(parts: integers(of: node, in: bytes))
                token.removeAll(keepingCapacity: true)
                token.appendJSON(of: node, on: tape, in: bytes)
                return try valid(time.map { .init(date: $0) } ?? .unreadable, use, hole)
            case .node(let node):
                if let number = tape.integer(of: node, in: bytes), number > 0,
                    case let time = WrittenTime(epoch: number),
                    time.fault(as: use) == nil
                {
                    return time
                }
            default: break
            }
        }
        guard try takeText(template, in: bytes) else { return nil }
        return try valid(TimeText.read(token), use, hole)
    }

    /// A time that a field accepts, as it is written in the token buffer.
    private mutating func valid(
        _ time: WrittenTime, _ use: TimeUse, _ hole: Int32
    ) throws(MappingFault) -> WrittenTime {
        guard let fault = time.fault(as: use) else { return time }
        refusedTime = time == .unreadable ? "" : WrittenTime.specifics(of: token)
        throw MappingFault(cause: .invalid(fault), hole: hole)
    }

    /// The elements of an array of at most seven integers; none for any other array.
    func integers(of array: Int, in bytes: RawSpan) -> [Int64] {
        var numbers: [Int64] = []
        let children = tape.children(of: array)
        var element = children.first
        while element < children.end {
            guard numbers.count < 7, tape[element].kind == .number,
                let number = tape.integer(of: element, in: bytes)
            else { return [] }
            numbers.append(number)
            element = tape.next(after: element)
        }
        return numbers
    }

    mutating func takeBundleID(
        to bundleID: inout [UInt8], in bytes: RawSpan
    ) throws(MappingFault) {
        let template = fields.bundleID
        if template >= 0, try take(template, to: &bundleID, in: bytes) {
            guard BundleIdentifier.isValid(bundleID) else {
                throw MappingFault(cause: .invalid(.bundleID), hole: hole(of: template))
            }
            return
        }
        bundleID.replace(with: plan.defaultBundleID)
    }

    /// A channel if the block is a broadcast, or if a canonical event names one.
    mutating func destinationKind(in bytes: RawSpan) -> Destination.Kind {
        fields.channel < 0 || isOmitted(fields.channel, in: bytes) ? .device : .channel
    }

    mutating func pushType(
        to destination: Destination.Kind, in bytes: RawSpan
    ) throws(MappingFault) -> PushType {
        if let fixed = fields.fixedPushType { return fixed }
        let isBroadcast = destination == .channel
        let template = fields.pushType
        guard try takeText(template, in: bytes) else { return isBroadcast ? .liveactivity : .alert }
        // All of Apple's push types fit into a small string without allocation.
        guard token.count <= 15,
            let type = PushType(rawValue: String(decoding: token, as: UTF8.self))
        else { throw MappingFault(cause: .invalid(.pushType), hole: hole(of: template)) }
        guard !isBroadcast || type == .liveactivity else {
            throw MappingFault(
                cause: .invalid(.destination(.pushType)), hole: hole(of: template))
        }
        return type
    }

    /// Refuses a push type that a bundle identifier does not take.
    mutating func check(_ type: PushType, of bundleID: [UInt8]) throws(MappingFault) {
        guard !type.suits(bundleID: bundleID) else { return }
        throw MappingFault(
            cause: .invalid(type == .mdm ? .notManagement : .management),
            hole: hole(of: fields.pushType))
    }

    /// The given priority; nil for the default of the push type.
    mutating func priority(
        of type: PushType, to destination: Destination.Kind, in bytes: RawSpan
    ) throws(MappingFault) -> UInt8? {
        let template = fields.priority
        guard try takeText(template, in: bytes) else { return nil }
        _ = WholeNumber.shorten(&token)
        let priority: UInt8
        switch (token.count, token.first) {
        case (1, UInt8(ascii: "5")): priority = 5
        case (1, UInt8(ascii: "1")): priority = 1
        case (2, UInt8(ascii: "1")) where token[1] == UInt8(ascii: "0"): priority = 10
        default: throw MappingFault(cause: .invalid(.priority), hole: hole(of: template))
        }
        guard destination.allowedPriorities(for: type).contains(priority) else {
            throw MappingFault(
                cause: .invalid(type == .background ? .background : .priority),
                hole: hole(of: template))
        }
        return priority
    }

    mutating func takeCollapseID(
        to collapseID: inout [UInt8], in bytes: RawSpan
    ) throws(MappingFault) {
        let template = fields.collapseID
        guard template >= 0, try take(template, to: &collapseID, in: bytes) else {
            if !collapseID.isEmpty { collapseID.removeAll(keepingCapacity: true) }
            return
        }
        if let reason = FieldCheck.collapseID(collapseID) {
            if fields.hashesCollapseID, !collapseID.isEmpty {
                let digest = plan.hash(collapseID)
                collapseID.removeAll(keepingCapacity: true)
                for byte in digest { Hexadecimal.append(byte, to: &collapseID) }
                return
            }
            throw MappingFault(cause: .invalid(reason), hole: hole(of: template))
        }
    }

    /// Evaluates `expiration` and `ttl` to the header value and to the time when we stop; with
    /// `isAudio` APNs is to store nothing unless an expiration is written.
    mutating func takeExpiration(
        to notification: inout Notification, isAudio: Bool, in bytes: RawSpan
    ) throws(MappingFault) {
        let written = try time(fields.expiration, .expiration, in: bytes)
        switch written {
        case .at(let time): expire(&notification, at: time)
        case .never: expire(&notification, at: .max)
        default: break
        }
        let template = fields.timeToLive
        guard try takeText(template, in: bytes) else {
            // A broadcast must say when it expires, and every channel takes 0.
            if written == nil, isAudio || notification.isBroadcast {
                notification.expiration = .immediate
            }
            return
        }
        let end = TimeText.span(token).map(notification.eventTime.addingReportingOverflow)
        guard let end, !end.overflow else {
            refusedTime = WrittenTime.specifics(ofSpan: token)
            throw MappingFault(cause: .invalid(.timeToLive), hole: hole(of: template))
        }
        notification.usesTimeToLive = true
        if written == nil, !isAudio {
            expire(&notification, at: max(end.partialValue, 1000))
        } else if notification.expiration == .immediate || written == nil {
            notification.expiration = .immediate
            notification.expiresAt = end.partialValue
        } else {
            throw MappingFault(cause: .invalid(.bothTimes), hole: hole(of: template))
        }
    }

    private func expire(_ notification: inout Notification, at time: Int64) {
        let seconds = min(time / 1000, WrittenTime.farthestSecond)
        guard seconds > 0 else {
            notification.expiration = .immediate
            return
        }
        notification.expiration = .at(seconds: seconds)
        notification.expiresAt = seconds * 1000
    }

    mutating func ownID(in bytes: RawSpan) throws(MappingFault) -> NotificationID? {
        let template = fields.ownID
        guard try takeText(template, in: bytes) else { return nil }
        guard let identifier = NotificationID(token) else {
            throw MappingFault(cause: .invalid(.identifier), hole: hole(of: template))
        }
        return identifier
    }

    mutating func checkEnvironment(in bytes: RawSpan) throws(MappingFault) {
        let template = fields.environment
        guard template >= 0, !isOmitted(template, in: bytes),
            let environment = plan.environment, plan.apps.apps.isEmpty,
            try takeEnvironment(in: bytes)
        else { return }
        guard token.elementsEqual(environment.utf8) else {
            throw MappingFault(cause: .invalid(.environment), hole: hole(of: template))
        }
    }
}
