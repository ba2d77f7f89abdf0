internal import Arguments
internal import Configuration
internal import JSON

/// Checks connector files as `run` does when it loads them, and reports all problems at once.
struct LintVerb: Verb {
    /// The output format.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        /// For people.
        case text
        /// For programs: one JSON array.
        case json
        /// For GitHub Actions: annotations of the lines.
        case github
    }

    private static let strict = Flag(
        "strict", help: "Treat warnings as errors: exit 1 on any warning.")
    private static let schemas = Option<[String]>(
        "schema", valueName: "FILE", completion: .file,
        help: "Check paths with the schema of the events, an .avsc or .proto file.")
    private static let keySchemas = Option<[String]>(
        "key-schema", valueName: "FILE", completion: .file,
        help: "Check paths into keys with their schema, an .avsc or .proto file.")
    private static let format = Option<Format>(
        "format", default: .text, help: "Output format of the findings.")

    static let command = Command(
        "lint",
        abstract: "Checks connector files without starting anything.",
        examples: [
            "apns-bridge lint connectors", "apns-bridge lint --strict connectors/orders.yaml",
            "apns-bridge lint --format github connectors",
            "apns-bridge lint --schema order.avsc connectors/avro-orders.yaml",
        ],
        discussion: """
            Performs every check that run does when it loads connectors, without contacting Kafka \
            or APNs. With --schema, which may be repeated for files that refer to each other, it \
            also names paths that the events cannot have, with --key-schema those that their \
            keys cannot have. A missing environment variable or file is a warning here and an \
            error in run. Findings go to standard output, the summary to standard error.

            Exit codes: 0 clean, or warnings only; 1 a warning, with --strict; 66 no such file; \
            78 an error.
            """,
        options: [ProcessOptions.settings, schemas, keySchemas, format], flags: [strict],
        arguments: [LoadedConnectors.paths])

    static func run(_ parsed: ParsedCommand) async -> ExitCode {
        let paths = parsed[LoadedConnectors.paths]
        let loaded = LoadedConnectors.lint(
            paths, settings: parsed[ProcessOptions.settings], schemas: parsed[schemas],
            keySchemas: parsed[keySchemas])
        let findings = loaded.diagnostics
        let summary = Diagnostic.summary(findings, files: loaded.files.count)
        switch parsed[format] {
        case .text where findings.isEmpty: Console.error(summary)
        case .text:
            let inColour = Console.isOutputTerminal && Console.isColourWelcome
            Console.output(coloured: Diagnostic.report(findings, inColour: inColour) + "\n")
            Console.error("\n" + summary)
        case .json:
            Console.output(json(findings))
            Console.error(summary)
        case .github:
            // Its commands are the point of this format; each is one line, and safe.
            Console.output(Array(findings.map { $0.gitHubCommand + "\n" }.joined().utf8))
            Console.error(summary)
        }
        if loaded.hasErrors {
            return loaded.failure(of: paths + parsed[schemas] + parsed[keySchemas])
        }
        return parsed[strict] && !findings.isEmpty ? .failure : .success
    }

    /// An array of objects; unknown properties are null.
    private static func json(_ findings: [Diagnostic]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginArray()
        for finding in findings {
            writer.beginObject()
            writer.name("file")
            writer.string(finding.file)
            for (name, number) in [("line", finding.line), ("column", finding.column)] {
                writer.name(name)
                writer.integer(number > 0 ? number : nil)
            }
            writer.name("severity")
            writer.string(finding.severity.rawValue)
            writer.name("message")
            writer.string(finding.message)
            writer.name("remedy")
            writer.string(finding.remedy)
            writer.endObject()
        }
        writer.endArray()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
