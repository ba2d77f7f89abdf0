import Testing

@testable import APNsSimulator

@Suite struct `A simulator's behaviour` {
    private func token(_ prefix: String) -> ArraySlice<UInt8> {
        [UInt8]((prefix + String(repeating: "7", count: 64 - prefix.count)).utf8)[...]
    }

    @Test func `says at once that a plain device token has no script`() {
        #expect(!SimulatorBehaviour.builtIn.mayAnswer(token("")))
        #expect(!SimulatorBehaviour.acceptsAll.mayAnswer(token("dead")))
    }

    @Test func `finds a script whatever the case of the digits`() {
        let behaviour = SimulatorBehaviour.builtIn
        for text in ["dead", "DEAD", "dEaD"] {
            #expect(behaviour.mayAnswer(token(text)))
            #expect(behaviour.answer(to: token(text), attempt: 1)?.status == 410)
        }
    }

    @Test func `lets a script of odd length fit its first half byte`() {
        let answer = ScriptedAnswer(tokenPrefix: "abc", status: 500)
        let behaviour = SimulatorBehaviour(answers: [answer])
        #expect(behaviour.answer(to: token("abc0"), attempt: 1)?.status == 500)
        #expect(behaviour.mayAnswer(token("abcf")))
        #expect(behaviour.answer(to: token("abd0"), attempt: 1) == nil)
    }

    @Test func `goes on to the next script when the first attempts are over`() {
        let behaviour = SimulatorBehaviour(answers: [
            ScriptedAnswer(tokenPrefix: "aa", status: 503, attempts: 2),
            ScriptedAnswer(tokenPrefix: "", status: 410),
        ])
        let statuses = (1...3).map { behaviour.answer(to: token("aa"), attempt: $0)?.status }
        #expect(statuses == [503, 503, 410])
    }

    @Test func `counts the attempts of each push by itself`() {
        var counts = AttemptCounts()
        let first = [UInt8]("first".utf8)
        #expect(counts.next(token: token("a"), identifier: first) == 1)
        #expect(counts.next(token: token("a"), identifier: []) == 1)
        #expect(counts.next(token: token("b"), identifier: first) == 1)
        #expect(counts.next(token: token("a"), identifier: first) == 2)
    }

    @Test func `remembers no more pushes than it was told`() {
        var counts = AttemptCounts(capacity: 10)
        for number in 0..<1000 {
            _ = counts.next(token: token("a"), identifier: [UInt8](String(number).utf8))
        }
        #expect(counts.count <= 20)
        #expect(counts.next(token: token("a"), identifier: [UInt8]("999".utf8)) == 2)
    }
}
