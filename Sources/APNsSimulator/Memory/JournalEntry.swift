internal import HTTP2
internal import JSON

/// The format of a request in a journal, after the journal's own four words: 8-byte words, and
/// strings preceded by their lengths.
extension ByteBuffer {
    mutating func append(_ request: JudgedRequest) {
        append(word: UInt64(bitPattern: request.arrivedAt))
        append(request.judgement)
        append(text: request.identifier)
        append(text: request.body)
        append(word: request.certificateTopic == nil ? 0 : 1)
        if let topic = request.certificateTopic { append(text: topic) }
        append(word: UInt64(request.fields.count))
        for position in request.fields.indices {
            let name = request.fields.nameRange(of: position).count
            let value = request.fields.valueRange(of: position).count
            append(word: UInt64(name) << 32 | UInt64(value))
        }
        request.fields.withBytes { append($0) }
    }

    private mutating func append(text: [UInt8]) {
        append(word: UInt64(text.count))
        append(text)
    }

    /// One word for the most common response, more for others.
    private mutating func append(_ judgement: Judgement?) {
        guard let judgement else { return append(word: 0) }
        var parts: JournalReader.Parts = []
        if judgement.reason != nil { parts.insert(.reason) }
        if judgement.timestamp != nil { parts.insert(.timestamp) }
        if judgement.ownBody != nil { parts.insert(.ownBody) }
        if judgement.retryAfter != nil { parts.insert(.retryAfter) }
        if judgement.channelID != nil { parts.insert(.channelID) }
        if judgement.isAboutBroadcasts { parts.insert(.broadcasts) }
        append(
            word: 1 | UInt64(parts.rawValue) << 8
                | UInt64(UInt32(truncatingIfNeeded: judgement.status)) << 32)
        guard !parts.isEmpty else { return }
        if let reason = judgement.reason { append(text: [UInt8](reason.utf8)) }
        if let timestamp = judgement.timestamp { append(word: UInt64(bitPattern: timestamp)) }
        if let body = judgement.ownBody { append(text: body) }
        if let seconds = judgement.retryAfter { append(word: UInt64(bitPattern: Int64(seconds))) }
        if let channelID = judgement.channelID { append(text: channelID) }
    }
}

/// Reads a request from a journal, word by word and string by string.
struct JournalReader {
    /// The parts of a judgement besides its status.
    struct Parts: OptionSet {
        let rawValue: UInt8

        static let reason = Self(rawValue: 1)
        static let timestamp = Self(rawValue: 2)
        static let ownBody = Self(rawValue: 4)
        static let retryAfter = Self(rawValue: 8)
        static let channelID = Self(rawValue: 16)
        static let broadcasts = Self(rawValue: 32)
    }

    private var offset: Int

    /// Starts at the journal's own words before a request.
    init(_ offset: Int) { self.offset = offset }

    mutating func request(in buffer: borrowing ByteBuffer) -> JudgedRequest {
        offset += 8
        let number = integer(in: buffer)
        offset += 16
        let arrivedAt = integer(in: buffer)
        let judgement = judgement(in: buffer)
        let identifier = text(in: buffer)
        let body = text(in: buffer)
        let certificateTopic = word(in: buffer) == 0 ? nil : text(in: buffer)
        let count = integer(in: buffer)
        var lengths: [UInt64] = []
        for _ in 0..<count { lengths.append(word(in: buffer)) }
        var fields = FieldList()
        for length in lengths {
            let name = bytes(Int(length >> 32), in: buffer)
            fields.append(name, bytes(Int(length & 0xFFFF_FFFF), in: buffer))
        }
        var request = JudgedRequest(
            arrivedAt: Int64(arrivedAt), fields: fields, body: body, judgement: judgement,
            identifier: identifier, certificateTopic: certificateTopic)
        request.number = number
        return request
    }

    private mutating func judgement(in buffer: borrowing ByteBuffer) -> Judgement? {
        let head = word(in: buffer)
        guard head != 0 else { return nil }
        let parts = Parts(rawValue: UInt8(truncatingIfNeeded: head >> 8))
        var judgement = Judgement(status: Int(Int32(truncatingIfNeeded: head >> 32)))
        if parts.contains(.reason) {
            judgement.reason = String(decoding: text(in: buffer), as: UTF8.self)
        }
        if parts.contains(.timestamp) { judgement.timestamp = Int64(integer(in: buffer)) }
        if parts.contains(.ownBody) { judgement.ownBody = text(in: buffer) }
        if parts.contains(.retryAfter) { judgement.retryAfter = integer(in: buffer) }
        if parts.contains(.channelID) { judgement.channelID = text(in: buffer) }
        judgement.isAboutBroadcasts = parts.contains(.broadcasts)
        return judgement
    }

    private mutating func word(in buffer: borrowing ByteBuffer) -> UInt64 {
        offset += 8
        return buffer.word(at: offset - 8)
    }

    private mutating func integer(in buffer: borrowing ByteBuffer) -> Int {
        Int(truncatingIfNeeded: word(in: buffer))
    }

    private mutating func text(in buffer: borrowing ByteBuffer) -> [UInt8] {
        bytes(integer(in: buffer), in: buffer)
    }

    private mutating func bytes(_ count: Int, in buffer: borrowing ByteBuffer) -> [UInt8] {
        offset += count
        return buffer.copy(from: offset - count, count: count)
    }
}
