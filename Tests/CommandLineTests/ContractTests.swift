import Arguments
import Contracts
import Foundation
import Testing

@testable import apns_bridge

@Suite struct `What a release has understood on the command line` {
    private static let words = APNsBridge.command.words()

    @Test(arguments: Contract.having("commands.txt"))
    func `is still understood`(contract: Contract) throws {
        let missing = try contract.missing("commands.txt", from: Self.words)
        #expect(missing == [], "now there are:\n\(Self.words.joined(separator: "\n"))")
    }

    @Test func `is all listed`() throws {
        let unlisted = try Contract.unlisted("commands.txt", from: Self.words)
        #expect(unlisted == [])
    }

    /// The signals that a command handles.
    private static let signals = APNsBridge.verbs.flatMap { verb in
        verb.signals.map { "\(verb.command.name) \(names[$0] ?? "signal \($0)")" }
    }

    private static let names = [
        SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGUSR1: "SIGUSR1",
    ]

    @Test(arguments: Contract.having("signals.txt"))
    func `are signals that do the same`(contract: Contract) throws {
        #expect(try contract.missing("signals.txt", from: Self.signals) == [])
    }

    @Test func `are all the signals that there are`() throws {
        let unlisted = try Contract.unlisted("signals.txt", from: Self.signals)
        #expect(unlisted == [])
    }

    @Test(arguments: Contract.having("connectors"))
    func `makes the same requests and results of the same events`(contract: Contract) throws {
        let ending = try Program.run("test", contract.file("connectors").path)
        let said = ending.output + ending.errors
        #expect(ending.code == 0, "\(contract.broken("a connector's tests fail"))\n\(said)")
    }
}
