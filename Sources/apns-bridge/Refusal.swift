internal import Arguments

/// Why a command does nothing.
struct Refusal: Error {
    var text: String
    var code = ExitCode.usage
}
