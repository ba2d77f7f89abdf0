import Testing

/// The engine's state has owners, and only the owners change it.
@Suite struct `The state of the engine` {
    /// The owners whose state several files of theirs share: their properties cannot be private.
    private static let owners = [
        (property: "intake", file: "Sources/Engine/Partitions/Intake.swift"),
        (property: "sending", file: "Sources/Engine/Sending/Sending.swift"),
        (property: "pushes", file: "Sources/Engine/Push/PushTable.swift"),
    ]

    @Test(arguments: owners)
    func `is named by its owner alone`(property: String, file: String) throws {
        let owner = String(file.dropLast(".swift".count))
        let declaration = #"^    (private\(set\) )?var ([a-zA-Z]+)( =|:)[^{]*$"#
        let names = try SwiftFile(path: file).code.compactMap { line in
            try Regex(declaration).firstMatch(in: line)?.output[2].substring.map(String.init)
        }
        #expect(names.count > 1)
        let state = names.filter { $0 != "phase" }.joined(separator: "|")
        expectNone(
            Repository.sources.filter { $0.module == "Engine" && !$0.path.hasPrefix(owner) }
                .flatMap { $0.offences(#"\b\#(property)\.(\#(state))\b"#, "state of \(owner)") })
    }

    /// What is assigned to a push, and to its details, by the name in the code.
    private static let fieldsOfPushes = [
        (type: "Push", access: #"\bpushes\[\w+\]\."#),
        (type: "PushDetails", access: #"(\$0|\bdetails)\."#),
    ]

    /// More than one part of the engine records such an event by a method of the type.
    @Test(arguments: fieldsOfPushes)
    func `of a push has one file that changes it, or none but its own`(
        type: String, access: String
    ) throws {
        let declaration = #"^    (private\(set\) |fileprivate\(set\) )?var ([a-zA-Z]+)( =|:)"#
        let names = try SwiftFile(path: "Sources/Engine/Push/\(type).swift").code
            .compactMap { line in
                try Regex(declaration).firstMatch(in: line)?.output[2].substring.map(String.init)
            }
        #expect(names.count > 10)
        let engine = Repository.sources.filter { $0.module == "Engine" }
        for name in names {
            let files = engine.filter {
                !$0.offences(access + name + #"(\.\w+)* [-+]?= "#, "").isEmpty
            }
            #expect(files.count <= 1, "\(type).\(name): \(files.map(\.path))")
        }
    }

    @Test func `counts by key path alone`() {
        expectNone(
            Repository.sources.filter { $0.module == "Engine" }
                .flatMap { $0.offences(#"\bcounters\.\w+ [-+*]?= "#, "counters.add(\\.name)") })
    }

    @Test func `lies in few properties of the engine itself`() throws {
        let engine = try SwiftFile(path: "Sources/Engine/Engine.swift")
        let access = #"(private |package |internal\(set\) )*"#
        let stored = engine.offences("^    \(access)(let|var) [a-zA-Z]+( =|:)[^{]*$", "stored")
        #expect(stored.count > 10 && stored.count <= 24, "\(stored.joined(separator: "\n"))")
    }
}
