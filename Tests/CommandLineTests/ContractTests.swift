import Contracts
import Foundation
import Testing

@Suite struct `What a release has understood on the command line` {
    /// Each command, and each of its options, as its help lists them.
    private static let words = Result {
        var found: [String] = []
        let overview = try Program.run("--help").output.split(separator: "\n")
        let commands = overview.drop { $0 != "Commands:" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }
            .compactMap { $0.firstMatch(of: #/^  ([a-z-]+) /#).map { String($0.1) } }
        for command in commands {
            found.append(command)
            let help = try Program.run(command, "--help").output
            found += help.matches(of: /(?m)^ +(?:-\w, )?(--[a-z-]+)/).map { "\(command) \($0.1)" }
        }
        return found
    }

    @Test(arguments: Contract.having("commands.txt"))
    func `is still understood`(contract: Contract) throws {
        let words = try Self.words.get()
        let missing = try contract.missing("commands.txt", from: words)
        #expect(missing == [], "now there are:\n\(words.joined(separator: "\n"))")
    }

    @Test func `is all listed`() throws {
        #expect(try Contract.unlisted("commands.txt", from: Self.words.get()) == [])
    }

    @Test(arguments: Contract.having("connectors"))
    func `makes the same requests and results of the same events`(contract: Contract) throws {
        let ending = try Program.run("test", contract.file("connectors").path)
        let said = ending.output + ending.errors
        #expect(ending.code == 0, "\(contract.broken("a connector's tests fail"))\n\(said)")
    }
}
