/// The library's message about a broker, without its internal terms.
///
/// `localhost:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in
/// state CONNECT)` becomes `localhost:1: Connect to 127.0.0.1:1 failed: Connection refused`.
func readableMessage(_ reason: String) -> String {
    var text = reason
    // The state and the count vary, although the error is the same.
    if let state = text.firstRange(of: " (after "), text.hasSuffix(")") {
        text = String(text[..<state.lowerBound])
    }
    for (own, plain) in [
        ("/bootstrap: ", ": "), ("ipv4#", ""), ("ipv6#", ""), ("Local: ", ""),
        (" configuration (connecting to a SSL listener?)", ""),
        (" (see api.version.request configuration)", ""), (" (see api.version.request)", ""),
        (" or broker version is < 0.10", ""), (": probably due to broker version < 0.10", ""),
    ] {
        text = replacing(own, with: plain, in: text)
    }
    return text
}

private func replacing(_ old: String, with new: String, in text: String) -> String {
    guard text.contains(old) else { return text }
    var rest = text[...]
    var result = ""
    while let range = rest.firstRange(of: old) {
        result += rest[..<range.lowerBound] + new
        rest = rest[range.upperBound...]
    }
    return result + rest
}
