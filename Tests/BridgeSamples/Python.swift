internal import EventLoop
internal import Foundation

/// Python's `jsonschema`, which shares no code with the bridge.
package enum Python {
    package static let hasValidator = (try? run("import jsonschema", [:])) == ""

    /// What is wrong with each line of JSON according to the schema; empty if nothing is.
    package static func validate(_ lines: [String], schema: String) throws -> String {
        let script = """
            import json, jsonschema, sys
            schema = json.load(open(sys.argv[1] + "/schema"))
            jsonschema.Draft202012Validator.check_schema(schema)
            checker = jsonschema.Draft202012Validator(
                schema, format_checker=jsonschema.FormatChecker())
            for line in open(sys.argv[1] + "/lines"):
                for fault in checker.iter_errors(json.loads(line)):
                    print(fault.json_path, fault.message[:200])
            """
        let text = lines.map { $0 + "\n" }.joined()
        return try run(script, ["schema": schema, "lines": text])
    }

    /// Which of the lines of JSON a schema accepts.
    package static func accepts(_ lines: [String], schema: String) throws -> [Bool] {
        let script = """
            import json, jsonschema, sys
            schema = json.load(open(sys.argv[1] + "/schema"))
            jsonschema.Draft202012Validator.check_schema(schema)
            checker = jsonschema.Draft202012Validator(schema)
            for line in open(sys.argv[1] + "/lines"):
                print("+" if checker.is_valid(json.loads(line)) else "-", end="")
            """
        let text = lines.map { $0 + "\n" }.joined()
        let printed = try run(script, ["schema": schema, "lines": text])
        return printed.map { $0 == "+" }
    }

    /// Runs a script with a folder of files as its argument, and returns what it prints.
    private static func run(_ script: String, _ files: [String: String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in files {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        // Foundation's Process sometimes waits for ever for a process that has ended.
        let ending = try ChildProcess.run("python3", ["-W", "ignore", "-c", script, folder.path])
        let printed = String(decoding: ending.output, as: UTF8.self)
        return ending.exitCode == 0 ? printed : "exit \(ending.exitCode) " + printed
    }
}
