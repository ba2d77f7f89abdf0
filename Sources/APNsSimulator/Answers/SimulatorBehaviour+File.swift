internal import YAML

extension SimulatorBehaviour {
    /// Reads a file of scripted answers; they come before the built-in ones.
    public static func load(path: String) throws(SimulatorError) -> SimulatorBehaviour {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path: path)
        } catch {
            throw SimulatorError(.answers, "\(path): cannot be read: \(error.reason)")
        }
        return try parse(bytes, file: path)
    }

    /// Reads the text of a file of scripted answers; `file` is its name for messages.
    public static func parse(
        _ bytes: [UInt8], file: String
    ) throws(SimulatorError) -> SimulatorBehaviour {
        do {
            return try AnswersReader(file: file).behaviour(bytes: bytes)
        } catch {
            throw SimulatorError(.answers, error.description)
        }
    }
}
