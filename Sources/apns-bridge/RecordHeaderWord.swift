internal import Arguments

/// A record header on a command line: `NAME=VALUE`.
struct RecordHeaderWord: ExpressibleByArgument {
    let name: String
    let value: String

    init?(argument: String) {
        guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex else {
            return nil
        }
        name = String(argument[..<mark])
        value = String(argument[argument.index(after: mark)...])
    }

    var argumentText: String { "\(name)=\(value)" }

    static var valueDescription: String { "a header: NAME=VALUE" }
}
