import Arguments
import Testing

@testable import apns_bridge

@Suite struct `The settings of a measurement` {
    private func settings(_ arguments: String...) throws -> BenchSettings {
        guard case .run(let parsed) = try APNsBridge.command.parse(["bench"] + arguments) else {
            throw BenchFailure(.software, "help")
        }
        return try BenchSettings(parsed)
    }

    @Test func `have defaults for everything`() throws {
        let settings = try settings()
        #expect(settings.events == 200_000)
        #expect(settings.rate == 1000)
        #expect(settings.seconds == 10)
        #expect(settings.partitions == 8)
        #expect(settings.bootstrap == nil)
        #expect(settings.endpoint == nil)
        #expect(settings.connector == nil)
        #expect(!settings.comparesH2Load)
    }

    @Test(arguments: [
        (["--events", "0"], "--events 0 is out of range: give a number from 1 to 100000000"),
        (["--rate", "-1"], "--rate -1 is out of range: give a number from 0 to 1000000000"),
        (["--workers", "65"], "--workers 65 is out of range: give a number from 1 to 64"),
        (
            ["--topics", "mine"],
            "--topics names topics of your own Kafka: add --bootstrap HOST:PORT"
        ),
        (
            ["--bootstrap", "kafka:9092", "--topics", "a/b"],
            "--topics 'a/b' cannot begin the name of a topic: use at most 200 letters, digits, '.',"
                + " '_' and '-'"
        ),
        (
            ["--bootstrap", "kafka:port"],
            "--bootstrap has an address with an invalid port: write a port from 1 to 65535"
        ),
        (
            ["--state", "simulator"],
            "--state belongs to the simulator at another address: add --endpoint URL"
        ),
        (
            ["--compare", "h2load", "--endpoint", "https://localhost:2197"],
            "--compare needs the built-in simulator: leave out --endpoint"
        ),
        (["--endpoint", "localhost"], "--endpoint localhost has no scheme: start it with https://"),
    ])
    func `are refused in one line that says what to do`(arguments: [String], line: String) throws {
        guard case .run(let parsed) = try APNsBridge.command.parse(["bench"] + arguments) else {
            return
        }
        let failure = #expect(throws: BenchFailure.self) { try BenchSettings(parsed) }
        #expect(failure == BenchFailure(.usage, line))
    }

    @Test(arguments: [
        "https://api.push.apple.com", "https://api.sandbox.push.apple.com:2197",
        "https://API.Push.Apple.Com:443/", "HTTPS://api.push.apple.com.:443",
        "https://api.development.push.apple.com", "https://17.188.143.34",
        "https://[::ffff:17.188.143.34]:443",
    ])
    func `refuse Apple however it is written`(url: String) throws {
        let failure = #expect(throws: BenchFailure.self) { try settings("--endpoint", url) }
        #expect(failure?.code == .usage)
        #expect(failure?.description.contains("is Apple's: bench sends made-up") == true)
    }

    @Test(arguments: [
        "https://localhost:2197", "https://push.pineapple.com", "https://apple.com.example:443",
        "https://117.1.2.3", "https://[::1]:2197",
    ])
    func `take any other endpoint`(url: String) throws {
        #expect(try settings("--endpoint", url).endpoint != nil)
    }
}
