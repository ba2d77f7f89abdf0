internal import Arguments

/// A header of a record as a command line writes it: `NAME=VALUE`.
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
