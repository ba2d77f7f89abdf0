import Arguments
import Testing

@Suite struct `A command line` {
    @Test func `accepts a value after a blank or an equals sign`() throws {
        #expect(try Shop.parse("buy", "--count", "4", "tea")[Shop.count] == 4)
        #expect(try Shop.parse("buy", "--count=4", "tea")[Shop.count] == 4)
        #expect(try Shop.parse("buy", "-n", "4", "tea")[Shop.count] == 4)
    }

    @Test func `keeps further equals signs in the value`() throws {
        #expect(try Shop.parse("buy", "--tag=a=b", "tea")[Shop.tags] == ["a=b"])
    }

    @Test func `accepts a negative number and a single dash as values`() throws {
        #expect(try Shop.parse("buy", "--count", "-4", "tea")[Shop.count] == -4)
        #expect(try Shop.parse("buy", "-")[Shop.items] == ["-"])
    }

    @Test func `falls back to defaults`() throws {
        let parsed = try Shop.parse("buy", "tea")
        #expect(parsed[Shop.count] == 3)
        #expect(parsed[Shop.size] == nil)
        #expect(parsed[Shop.tags] == [])
        #expect(!parsed[Shop.quiet])
    }

    @Test func `has the last value of a single option and all of a repeatable one`() throws {
        let parsed = try Shop.parse(
            "buy", "--count=1", "--count=2", "--tag", "a", "--tag", "b", "tea")
        #expect(parsed[Shop.count] == 2)
        #expect(parsed[Shop.tags] == ["a", "b"])
    }

    @Test func `mixes options with arguments`() throws {
        let parsed = try Shop.parse("buy", "tea", "-q", "cups", "--size", "large")
        #expect(parsed[Shop.items] == ["tea", "cups"])
        #expect(parsed[Shop.size] == .large)
        #expect(parsed[Shop.quiet])
    }

    @Test func `reads only arguments after two dashes`() throws {
        #expect(try Shop.parse("buy", "--", "--quiet", "-x")[Shop.items] == ["--quiet", "-x"])
    }

    @Test func `knows the command by its path`() throws {
        #expect(try Shop.parse("keys").path == ["keys"])
        #expect(try Shop.parse("keys", "add", "--size=small").path == ["keys", "add"])
    }

    @Test func `keeps an option before a subcommand`() throws {
        #expect(try Shop.parse("keys", "--size=small", "add")[Shop.size] == .small)
    }

    @Test func `may omit an optional argument`() throws {
        #expect(try Shop.parse("transfer", "--owner=me", "5")[Shop.note] == nil)
        #expect(try Shop.parse("transfer", "--owner=me", "5", "rent")[Shop.note] == "rent")
    }
}
