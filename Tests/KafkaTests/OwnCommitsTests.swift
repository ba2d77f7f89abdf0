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
}
