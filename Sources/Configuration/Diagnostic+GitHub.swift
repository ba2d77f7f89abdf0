internal import Encoding

extension Diagnostic {
    /// The diagnostic as a GitHub Actions command, which shows it next to its line.
    ///
    /// Source: GitHub, *Workflow commands for GitHub Actions*; the escaping is defined in
    /// `actions/toolkit`, `packages/core/src/command.ts`.
    public var gitHubCommand: String {
        var properties = ["file=\(Self.escaped(file, isProperty: true))"]
        if line > 0 { properties.append("line=\(line)") }
        if line > 0, column > 0 { properties.append("col=\(column)") }
        let text = remedy.map { "\(message)\n\($0)" } ?? message
        return "::\(severity.rawValue) \(properties.joined(separator: ","))"
            + "::\(Self.escaped(text, isProperty: false))"
    }

    private static func escaped(_ text: String, isProperty: Bool) -> String {
        var result = ""
        for scalar in (isProperty ? SafeText.line(text) : SafeText.lines(text)).unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case ":" where isProperty: result += "%3A"
            case "," where isProperty: result += "%2C"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
