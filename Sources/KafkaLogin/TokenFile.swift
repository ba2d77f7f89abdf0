internal import YAML

/// A file in which something else keeps a token.
enum TokenFile {
    /// The text of a file, without the white space around it.
    static func text(of path: String) throws(TokenFault) -> String {
        do {
            let bytes = try InputFile.read(path: path, limit: FetchedToken.maxBytes)
            let text = String(decoding: bytes, as: UTF8.self)
            return String(text.split { $0.isWhitespace }.joined(separator: " "))
        } catch {
            throw .unavailable("\(path) cannot be read: \(error.reason)")
        }
    }
}
