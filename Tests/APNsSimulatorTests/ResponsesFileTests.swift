import Testing

@testable import APNsSimulator

@Suite struct `A file of answers` {
    private func mistake(_ text: String) throws -> String {
        let error = #expect(throws: SimulatorError.self) {
            _ = try Scenario.parse([UInt8](text.utf8), file: "answers.yaml")
        }
        return try #require(error).description
    }

    @Test(arguments: [
        ("answers:\n  - device_tokn: aa\n", "answers.yaml:2:5: unknown key 'device_tokn'"),
        ("answers:\n  - status: 410\n", "answers.yaml:2:5: an answer without 'device_token'"),
        (
            "answers:\n  - {device_token: xy}\n",
            "answers.yaml:2:20: 'device_token' must be a string"
        ),
        ("answers:\n  - {device_token: aa, status: 99}\n", "answers.yaml:2:32: 'status' is no"),
        ("answers:\n  - {device_token: aa, latency: 5}\n", "answers.yaml:2:33: 'latency' is no"),
        ("answers:\n  - {device_token: aa, lost: maybe}\n", "answers.yaml:2:30: 'lost' must be"),
        ("answers:\n  - {device_token: aa, reason: X}\n", "answers.yaml:2:32: an accepted push"),
        ("answers:\n  - {device_token: aa, first: 0}\n", "answers.yaml:2:31: 'first' is not"),
        ("answers: no\n", "answers.yaml:1:10: missing list of answers"),
        ("answers: [aa]\n", "answers.yaml:1:11: expected a mapping"),
    ])
    func `is rejected with the position of a mistake`(text: String, message: String) throws {
        #expect(try mistake(text).hasPrefix(message))
    }

    @Test func `is named if it does not exist`() {
        let error = #expect(throws: SimulatorError.self) {
            _ = try Scenario.load(path: "/no/such/file.yaml")
        }
        #expect(error?.description.hasPrefix("/no/such/file.yaml: ") == true)
    }

    @Test func `may contain every kind of response`() throws {
        let text = """
            built_in: false
            answers:
              - {device_token: "0A1", status: 410, reason: Unregistered, timestamp: 1700000000000}
              - {device_token: 4290, status: 429, reason: TooManyRequests, first: 3, latency: 2s}
              - {device_token: "", lost: true}
            """
        let behaviour = try Scenario.parse([UInt8](text.utf8), file: "answers.yaml")
        #expect(
            behaviour.responses == [
                ScriptedResponse(
                    tokenPrefix: "0a1", status: 410, reason: "Unregistered",
                    timestamp: .at(milliseconds: 1_700_000_000_000)),
                ScriptedResponse(
                    tokenPrefix: "4290", status: 429, reason: "TooManyRequests", attempts: 3,
                    latency: 2000),
                ScriptedResponse(tokenPrefix: "", isLost: true),
            ])
    }

    @Test func `takes precedence over the built-in answers`() throws {
        let text = "answers:\n  - {device_token: dead, status: 503}\n"
        let behaviour = try Scenario.parse([UInt8](text.utf8), file: "answers.yaml")
        #expect(behaviour.responses.first?.status == 503)
        #expect(behaviour.responses.dropFirst().elementsEqual(Scenario.builtIn.responses))
    }
}
