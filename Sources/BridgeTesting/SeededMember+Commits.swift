internal import Delivery
internal import Encoding

/// What becomes of its commits.
extension SeededMember {
    func commit(_ commits: [OffsetCommit]) {
        for commit in commits { note(commit) }
        // A member joins only once it has given up what was revoked.
        if isJoining, commits.contains(where: isKept) {
            topic.violations.append("member \(number) commits while its group rebalances")
        }
        var fails = generator.happens(habits.failingCommits)
        if failNext > 0 { (failNext, fails) = (failNext - 1, true) }
        let asked = clock.now
        clock.schedule(after: delay()) { [self] in
            topic.reach.run { [self] in
                guard !hasLeft, diedAt != asked else { return }
                if !commits.allSatisfy(isOwn) {
                    report(commits, "UNKNOWN_MEMBER_ID")
                } else if fails {
                    report(commits, "COORDINATOR_NOT_AVAILABLE")
                } else {
                    finish(commits)
                }
                clock.wake()
            }
        }
    }

    /// A broker stores the commits of some partitions though it refuses those of others.
    private func finish(_ commits: [OffsetCommit]) {
        var stored: [OffsetCommit] = []
        for commit in commits {
            if isMissing(commit) {
                report([commit], "UNKNOWN_TOPIC_OR_PART")
            } else if isTooLong(commit) {
                report([commit], "OFFSET_METADATA_TOO_LARGE")
            } else {
                store(commit)
                stored.append(commit)
            }
        }
        if !stored.isEmpty { reports.append(CommitReport(commits: stored, failure: nil)) }
    }

    private func report(_ commits: [OffsetCommit], _ code: String) {
        let failure = KafkaFailure(code: code, detail: "scripted", isFatal: false)
        reports.append(CommitReport(commits: commits, failure: failure))
    }

    private func isTooLong(_ commit: OffsetCommit) -> Bool {
        commit.metadata.unicodeScalars.count > topic.metadataLimit
    }

    private func isMissing(_ commit: OffsetCommit) -> Bool {
        described(commit).map { topic.missing.contains($0.partition) } ?? false
    }

    /// True unless the partition was taken away.
    private func isOwn(_ commit: OffsetCommit) -> Bool {
        assignments.contains { $0.id == commit.assignment && !$0.state.isFenced }
    }

    /// True when the partition was neither revoked nor taken away.
    private func isKept(_ commit: OffsetCommit) -> Bool {
        assignments.contains {
            $0.id == commit.assignment && !$0.state.isRevoking && !$0.state.isFenced
        }
    }

    private func note(_ commit: OffsetCommit) {
        guard isOwn(commit) || !isUnseen(commit.assignment) else { return }
        guard let entry = described(commit) else {
            topic.violations.append(
                "member \(number) commits \(commit.next) for \(commit.assignment), not its own")
            return
        }
        topic.onCommit(entry)
    }

    private func store(_ commit: OffsetCommit) {
        if let entry = described(commit) { topic.store(entry) }
    }

    private func isUnseen(_ id: AssignmentID) -> Bool {
        unseen[id] != nil || assignments.contains { $0.id == id && $0.state.isFenced }
    }

    private func described(_ commit: OffsetCommit) -> SeededTopic.Commit? {
        guard let mine = assignments.first(where: { $0.id == commit.assignment })
        else { return nil }
        return SeededTopic.Commit(
            time: clock.now, member: number, partition: mine.state.partition,
            position: .init(next: commit.next, metadata: commit.metadata))
    }
}
