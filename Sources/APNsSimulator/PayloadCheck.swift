/// Whether a payload is a JSON object.
enum PayloadCheck {
    static func isObject(_ body: [UInt8]) -> Bool {
        body.first == UInt8(ascii: "{") && body.last == UInt8(ascii: "}")
    }
}
