internal import Spelling
internal import YAML

extension Scenario {
    /// Reads a file; the built-in responses follow its own, unless it contains `built_in: false`.
    public static func load(path: String) throws(SimulatorError) -> Scenario {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path: path)
        } catch {
            throw SimulatorError(
                .scenario,
                "\(path): cannot be read: \(error.reason); choose a different --scenario; "
                    + "--list-scenarios shows the built-in ones")
        }
        return try parse(bytes, file: path)
    }

    /// Parses a scenario; `file` is its name in messages.
    public static func parse(_ bytes: [UInt8], file: String) throws(SimulatorError) -> Scenario {
        do {
            return try ScenarioReader(file: file).scenario(bytes: bytes)
        } catch {
            throw SimulatorError(.scenario, error.description)
        }
    }

    /// Reads a file, or a shipped scenario by name.
    public static func find(_ name: String) throws(SimulatorError) -> Scenario {
        if name.contains("/") || name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
            return try load(path: name).named(name)
        }
        if let bytes = ScenarioLibrary.text(of: name) {
            return try parse(bytes, file: name).named(name)
        }
        let near = Suggestion.nearest(to: name, among: ScenarioLibrary.names)
        throw SimulatorError(
            .scenario,
            "unknown scenario '\(name)'; "
                + (near.map { "did you mean '\($0)'? " } ?? "")
                + "--list-scenarios shows all; give a file by its path: ./\(name).yaml")
    }

    /// The same scenario with a name.
    func named(_ name: String) -> Scenario {
        var scenario = self
        scenario.name = name
        return scenario
    }
}
