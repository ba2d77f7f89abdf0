internal import Encoding
internal import HTTP2
internal import JSON

extension JSONWriter {
    mutating func optional(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    mutating func member(_ name: StaticString, _ text: String?) {
        self.name(ascii: name)
        optional(text)
    }

    mutating func member(_ name: StaticString, _ number: Int64?) {
        self.name(ascii: name)
        if let number { integer(number) } else { null() }
    }

    mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(ascii: name)
        boolean(flag)
    }

    mutating func member(_ name: StaticString, time milliseconds: Int64) {
        self.name(ascii: name)
        string(Timestamp.text(milliseconds: milliseconds))
    }

    /// A request as returned by `GET /requests`.
    mutating func members(of request: JudgedRequest) {
        member("number", Int64(request.number))
        member("at", time: request.arrivedAt)
        member("method", request.field(":method"))
        member("path", request.field(":path"))
        member("device_token", request.deviceToken)
        member("app", request.app)
        member("status", request.judgement.map { Int64($0.status) })
        member("reason", request.judgement?.reason)
        member("apns_id", String(decoding: request.identifier, as: UTF8.self))
        name(ascii: "headers")
        beginArray()
        for field in request.fields {
            beginObject()
            name(ascii: "name")
            string(utf8: field.name)
            name(ascii: "value")
            if field.name == Self.authorization {
                string(CredentialText.redacted(field.value))
            } else {
                string(utf8: field.value)
            }
            endObject()
        }
        endArray()
        member("provider_token", of: request)
        payload(request.body)
    }

    /// A payload as JSON, or as a string when it is not valid JSON.
    mutating func payload(_ body: [UInt8]) {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(body)
            var compact: [UInt8] = []
            compact.appendJSON(of: 0, on: tape, in: body)
            name(ascii: "payload")
            raw(compact)
        } catch {
            name(ascii: "payload")
            null()
            name(ascii: "body")
            string(utf8: body)
        }
    }

    /// The claims of a provider token; its signature is never shown.
    private mutating func member(_ name: StaticString, of request: JudgedRequest) {
        self.name(ascii: name)
        let value = request.fields.first { $0.name == Self.authorization }?.value ?? []
        guard let token = CredentialText.token(in: value) else { return null() }
        beginObject()
        self.name(ascii: "kid")
        string(utf8: token.keyID)
        self.name(ascii: "iss")
        string(utf8: token.teamID)
        member("iat", token.issuedAt)
        endObject()
    }

    private static let authorization = [UInt8]("authorization".utf8)

    /// The result of a push.
    mutating func members(of state: DevicePush.State) {
        switch state {
        case .delivered(let at):
            member("fate", "delivered")
            member("delivered_at", time: at)
        case .stored: member("fate", "stored")
        case .replaced: member("fate", "replaced")
        case .expired: member("fate", "expired")
        case .notStored: member("fate", "not stored")
        }
    }

    /// A notification as shown on a lock screen.
    mutating func members(of shown: ShownNotification) {
        member("app", shown.app)
        member("title", shown.title)
        member("subtitle", shown.subtitle)
        member("body", shown.body)
        member("badge", shown.badge)
        member("sound", shown.sound)
        member("thread_id", shown.threadID)
        member("category", shown.category)
        member("interruption_level", shown.interruptionLevel)
        member("collapse_id", shown.collapseID)
        member("apns_id", shown.identifier)
        member("shown_at", time: shown.shownAt)
    }
}
