import Arguments
import Contracts
import Testing

@Suite struct `The exit codes of a release` {
    private static let codes: [(String, ExitCode)] = [
        ("success", .success), ("failure", .failure), ("usage", .usage), ("bad data", .badData),
        ("no input", .noInput), ("unavailable", .unavailable), ("software", .software),
        ("try again", .tryAgain), ("configuration", .configuration),
    ]

    private static let found = codes.map { "\($0.1.rawValue) \($0.0)" }

    @Test(arguments: Contract.having("exit-codes.txt"))
    func `mean the same in this program`(contract: Contract) throws {
        #expect(try contract.missing("exit-codes.txt", from: Self.found) == [])
    }

    @Test func `are all listed`() throws {
        #expect(try Contract.unlisted("exit-codes.txt", from: Self.found) == [])
    }
}
