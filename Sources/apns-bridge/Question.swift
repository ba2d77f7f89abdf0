internal import Arguments
internal import Glibc

/// A question that a person answers before something is done.
struct Question {
    /// What is done: `Write to 'orders.replay'`.
    var text: String
    /// How to say so on the command line: `add --yes to write to 'orders.replay'`.
    var remedy: String
    /// What is said after a no: `Nothing was replayed.`
    var refusal: String

    /// Asks on the terminal; without one, and without a yes, it throws.
    func ask() throws(Refusal) {
        guard isatty(0) == 1 else {
            throw Refusal(text: "error: not confirmed\n  \(remedy)")
        }
        Console.error(bytes: "\(text)? [y/N] ")
        let response = readLine()
        // Where no response was typed, the terminal is still in the line of the question.
        if response == nil { Console.error(bytes: "\n") }
        guard let response, ["y", "yes"].contains(response.lowercased()) else {
            throw Refusal(text: refusal, code: .failure)
        }
    }
}
