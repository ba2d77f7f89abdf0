/// Where code may be unsafe, and what is never allowed.
enum SafetyRules {
    /// The modules that make a C library safe, and the reader that works on bytes in place.
    static let wrappers: Set<String> = [
        "EventLoop", "Kafka", "TLS", "HTTP2", "JSON", "YAML", "TimeZones", "AdminServer",
        "HTTPClient", "Protobuf",
    ]

    /// Single files elsewhere: the record that provides bytes, the log's two system calls, and what
    /// reads plain fields in Avro, which checks each of their bytes.
    static let exceptions: Set<String> = [
        "Sources/Delivery/Record.swift", "Sources/Delivery/Record+Bytes.swift",
        "Sources/Telemetry/System.swift", "Sources/Avro/AvroReader+Plain.swift",
    ]

    /// The memory that records are copied into.
    static let storage = "Sources/Delivery/Storage/"

    static func unsafeOffences(in file: SwiftFile) -> [String] {
        if wrappers.contains(file.module) || exceptions.contains(file.path) { return [] }
        if file.path.hasPrefix(storage) { return [] }
        return file.offences(unsafe, "unsafe code outside the wrappers")
    }

    /// What strict memory safety does not check.
    private static let unsafe = #"(^|[^(\w])unsafe\b|@unsafe|@safe|Unsafe\w*Pointer"#
    private static let unchecked = #"@unchecked\s+Sendable|nonisolated\(unsafe\)"#

    /// The modules in which only AddressSanitizer finds an error in memory.
    static func unsafeModules(of files: [SwiftFile]) -> Set<String> {
        Set(files.filter { $0.lines(matching: unsafe)?.isEmpty == false }.map(\.module))
    }

    /// The modules in which only ThreadSanitizer finds a data race.
    static func uncheckedModules(of files: [SwiftFile]) -> Set<String> {
        Set(files.filter { $0.lines(matching: unchecked)?.isEmpty == false }.map(\.module))
    }

    /// Promises to the compiler that it cannot check.
    static func uncheckedOffences(in file: SwiftFile) -> [String] {
        guard let found = file.lines(matching: unchecked) else {
            return ["\(unchecked): no pattern"]
        }
        return found.compactMap { index in
            if !wrappers.contains(file.module) {
                return file.offence(index, "a promise that the compiler cannot check")
            }
            let above = file.lines[..<index].reversed().map { $0.drop { $0 == " " } }
            let before = above.first { !$0.hasPrefix("@") } ?? ""
            let isExplained = before.hasPrefix("//")
            return isExplained
                ? nil : file.offence(index, "no comment on the line before says why it is safe")
        }
    }

    /// What ends the process on external data.
    static func crashOffences(in file: SwiftFile) -> [String] {
        file.offences(#"\btry!"#, "try!") + file.offences(#"\bas!"#, "as!")
            + file.offences(#"\bfatalError\("#, "fatalError; a precondition has a reason")
            + file.offences(#"[\w)\]}`?]!($|[^=])"#, "force unwrap", except: #"\b(try|as)!"#)
    }

    /// What runs destructors while threads still use what they destroy.
    static func exitOffences(in file: SwiftFile) -> [String] {
        guard file.module != "BridgeTesting" else { return [] }
        // A line with `func exit(` declares one.
        return file.offences(
            #"(^|[^\w. ]|[^c] )exit\(|Glibc\.exit\("#, "exit(3); use StandardError.exit")
    }

    /// Where `worker-benchmark` counts fewer instructions with an attribute than without it, or
    /// finds a function by its name; besides, in the reader of JSON, which takes byte by byte, and
    /// in that of Avro, which `mapping-benchmark` compares with it; and where counters are added to
    /// by key path, which the compiler resolves only where it sees both.
    static let inlined: Set<String> = [
        "Sources/Avro/AvroFault.swift", "Sources/Avro/AvroReader.swift",
        "Sources/Avro/AvroReader+Plain.swift", "Sources/Avro/AvroReader+Scalars.swift",
        "Sources/Avro/AvroReader+Times.swift", "Sources/Delivery/DecimalDigits.swift",
        "Sources/Delivery/SHA1.swift", "Sources/Delivery/SHA1Digest.swift",
        "Sources/Engine/Engine.swift", "Sources/Engine/EngineCounters.swift",
        "Sources/Engine/Outbox/Engine+Results.swift",
    ]

    /// What makes the compiler do more, or less, than it would by itself.
    static func inlineOffences(in file: SwiftFile) -> [String] {
        guard file.module != "JSON", !inlined.contains(file.path) else { return [] }
        return file.offences(#"@inline\("#, "@inline that no benchmark asks for")
    }

    static func printOffences(in file: SwiftFile) -> [String] {
        file.offences(#"(^|[^\w.])(debugPrint|print|dump)\("#, "print; log it, or use Console")
    }
}

extension SwiftFile {
    /// Every line of code that matches a pattern once another pattern is removed from it.
    func offences(_ pattern: String, _ what: String, except: String) -> [String] {
        guard let pattern = try? Regex(words: pattern), let except = try? Regex(words: except)
        else {
            return ["\(pattern): no pattern"]
        }
        return code.indices
            .filter { code[$0].contains("!") }
            .filter { code[$0].replacing(except, with: "").contains(pattern) }
            .map { offence($0, what) }
    }
}
