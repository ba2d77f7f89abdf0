import Arguments
import Contracts
import Testing

@Suite struct `The exit codes of a release` {
    private static let codes: [(String, ExitCode)] = [
        ("success", .success), ("failure", .failure), ("usage", .usage), ("bad data", .badData),
        ("no input", .noInput), ("unavailable", .unavailable), ("software", .software),
        ("try again", .tryAgain), ("configuration", .configuration),
    ]

    @Test(arguments: Contract.having("exit-codes.txt"))
    func `mean the same in this program`(contract: Contract) throws {
        let found = Self.codes.map { "\($0.1.rawValue) \($0.0)" }
        #expect(try contract.missing("exit-codes.txt", from: found) == [])
    }
}
