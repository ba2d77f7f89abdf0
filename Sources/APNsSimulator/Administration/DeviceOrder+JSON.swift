internal import JSON

extension DeviceOrder {
    private static let shapes = [
        "{\"online\": true}", "{\"online\": false}", "{\"change_to\": \"TOKEN\"}",
        "{\"unregister\": true}", "{\"register\": true}", "{\"subscribe\": \"CHANNEL\"}",
        "{\"unsubscribe\": \"CHANNEL\"}", "{\"open\": \"APNS-ID\"}",
        "{\"clear\": \"APNS-ID\"}", "{\"clear\": true}",
    ]

    /// Parses an order: a JSON object with one member.
    init(json: [UInt8]) throws(AdministrationFault) {
        var tape = JSONTape()
        do throws(JSONError) {
            try tape.read(json)
        } catch {
            throw Self.fault("the body is not valid JSON: \(error.message) at byte \(error.offset)")
        }
        guard tape[0].kind == .object else { throw Self.fault("the body is not a JSON object") }
        let (first, end) = tape.children(of: 0)
        guard first < end else { throw Self.fault("the body is an empty object") }
        let value = tape.next(after: first)
        guard tape.next(after: value) == end else {
            throw Self.fault("the body has more than one member")
        }
        let name = tape.text(of: first, in: json) ?? ""
        switch (name, tape[value].kind) {
        case ("online", .boolean):
            self = .online(tape.isToken(value, [UInt8]("true".utf8), in: json))
        case ("unregister", .boolean) where tape.isToken(value, Self.yes, in: json):
            self = .unregister
        case ("register", .boolean) where tape.isToken(value, Self.yes, in: json):
            self = .register
        case ("change_to", .string): self = .change(to: tape.text(of: value, in: json) ?? "")
        case ("subscribe", .string):
            self = .subscribe(channel: tape.text(of: value, in: json) ?? "")
        case ("unsubscribe", .string):
            self = .unsubscribe(channel: tape.text(of: value, in: json) ?? "")
        case ("open", .string): self = .open(tape.text(of: value, in: json) ?? "")
        case ("clear", .string): self = .clear(tape.text(of: value, in: json) ?? "")
        case ("clear", .boolean) where tape.isToken(value, Self.yes, in: json): self = .clear(nil)
        case ("online", _), ("unregister", _), ("register", _), ("change_to", _),
            ("subscribe", _), ("unsubscribe", _), ("open", _), ("clear", _):
            throw Self.fault("'\(name)' has a value of the wrong type")
        default: throw Self.fault("unknown member '\(name)'")
        }
    }

    private static let yes = [UInt8]("true".utf8)

    private static func fault(_ message: String) -> AdministrationFault {
        AdministrationFault(400, message, "send one of: \(shapes.joined(separator: ", "))")
    }
}
