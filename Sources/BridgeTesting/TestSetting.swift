internal import EventLoop
internal import Glibc
internal import Telemetry

/// Numbers that someone who runs the tests sets in the environment.
public enum TestSetting {
    /// A variable whose value is not a positive number.
    struct Mistake: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    /// The number of a variable, nil where it is not set. Anything that is not a positive number
    /// ends the process with one line: a typing mistake must not pass for a run that found nothing.
    public static func number(_ name: String) -> UInt64? {
        do throws(Mistake) {
            return try number(name, in: ProcessEnvironment.variables)
        } catch {
            DescriptorSink.standardError.write(Array("\(error)\n".utf8))
            exit(64)
        }
    }

    static func number(
        _ name: String, in variables: [String: String]
    ) throws(Mistake) -> UInt64? {
        guard let text = variables[name] else { return nil }
        guard let number = UInt64(text), number > 0 else {
            let example = "write, for example, \(name)=17, or leave it out"
            throw Mistake(description: "\(name)='\(text)' is not a number from 1 on: \(example)")
        }
        return number
    }
}
