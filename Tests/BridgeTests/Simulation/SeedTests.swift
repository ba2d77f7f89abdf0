import BridgeTesting
import Glibc
import Testing

@Suite struct `The seeds that someone asks for` {
    /// A variable, and a value that is not a number from 1 on.
    private static let mistakes = ["SEED", "SEEDS", "SEED_FACTOR", "MOST_SEEDS"].flatMap { name in
        ["0", "", "seventeen", "-3", "1.5", "99999999999999999999"]
            .map { ("APNS_BRIDGE_\(name)", $0) }
    }

    @Test func `are as many times more as the factor says`() async {
        await #expect(processExitsWith: .success) {
            unsafe setenv("APNS_BRIDGE_SEED_FACTOR", "80", 1)
            unsafe unsetenv("APNS_BRIDGE_SEED")
            unsafe unsetenv("APNS_BRIDGE_SEEDS")
            unsafe unsetenv("APNS_BRIDGE_MOST_SEEDS")
            #expect(Seed.several(250).count == 20_000)
            #expect(Seed.several(6).last == Seed(480))
        }
    }

    @Test(arguments: mistakes)
    func `end the tests with one line that says what to write if they are not a number`(
        name: String, value: String
    ) async {
        let ending = await #expect(
            processExitsWith: .exitCode(64), observing: [\.standardErrorContent]
        ) { [name, value] in
            unsafe setenv(name, value, 1)
            _ = Seed.several(1)
        }
        let example = "write, for example, \(name)=17, or leave it out"
        #expect(
            String(decoding: ending?.standardErrorContent ?? [], as: UTF8.self)
                == "\(name)='\(value)' is not a number from 1 on: \(example)\n")
    }
}
