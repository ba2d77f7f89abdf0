import Delivery
import Testing

@testable import Kafka

@Suite struct `The commits of a member` {
    private func commit(_ next: Int64, _ metadata: String = "") -> OffsetCommit {
        OffsetCommit(assignment: AssignmentID(0), next: next, metadata: metadata)
    }

    @Test func `do not include what another member has committed`() {
        var commits = OwnCommits(stored: 3, metadata: "")
        commits.willCommit(commit(5))
        commits.didCommit(commit(5))
        #expect(commits.mayBeOurs(5, ""))
        #expect(!commits.mayBeOurs(7, ""))
        // Another member has read a log that was recreated.
        #expect(!commits.mayBeOurs(3, ""))
    }

    @Test func `include those that got no response`() {
        var commits = OwnCommits(stored: 3, metadata: "")
        commits.willCommit(commit(5, "4"))
        commits.willCommit(commit(5, "4-5"))
        for next in [3, 5] as [Int64] { #expect(commits.mayBeOurs(next, "")) }
        #expect(commits.mayBeOurs(5, "4"))
        #expect(commits.mayBeOurs(5, "4-5"))
    }

    @Test func `include one whose metadata the broker does not keep`() {
        var commits = OwnCommits(stored: 3, metadata: "")
        commits.willCommit(commit(5, "7"))
        commits.didCommit(commit(5, "7"))
        #expect(commits.mayBeOurs(5, ""))
        #expect(!commits.mayBeOurs(5, "8"))
    }

    @Test func `include the stored one however many got no response`() {
        var commits = OwnCommits(stored: 3, metadata: "")
        for next in 4..<500 as Range<Int64> { commits.willCommit(commit(next)) }
        #expect(commits.mayBeOurs(3, ""))
        #expect(commits.mayBeOurs(499, ""))
    }

    @Test func `are the stored one and the last 63 after it, and no more`() {
        var commits = OwnCommits(stored: 3, metadata: "")
        for next in 4..<500 as Range<Int64> { commits.willCommit(commit(next)) }
        #expect((0..<600 as Range<Int64>).filter { commits.mayBeOurs($0, "") } == [3] + (437..<500))
    }

    @Test func `differ by the whole of their metadata, of which none is kept`() {
        // As long as Kafka allows if each character takes three bytes.
        let long = String(repeating: "\u{2713}", count: 4095)
        var commits = OwnCommits(stored: 3, metadata: "")
        for end in ["a", "b"] { commits.willCommit(commit(5, long + end)) }
        #expect(commits.mayBeOurs(5, long + "a") && commits.mayBeOurs(5, long + "b"))
        #expect(!commits.mayBeOurs(5, long + "c") && !commits.mayBeOurs(5, long))
        var strings: [String] = []
        func look(into value: Any) {
            if let string = value as? String { strings.append(string) }
            for child in Mirror(reflecting: value).children { look(into: child.value) }
        }
        look(into: commits)
        #expect(strings.isEmpty)
    }
}
