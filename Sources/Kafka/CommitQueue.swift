internal import CRDKafka
internal import Delivery

/// Sends commits to the group coordinator and returns their results, through a separate queue.
@safe final class CommitQueue {
    private let client: Client
    private let queue: OpaquePointer
    private var waiting: [Int: (commits: [TopicPartition: OffsetCommit], since: Int)] = [:]
    /// How long a commit may take, in milliseconds.
    private let limit: Int
    private var nextLook = 0
    private var reports: [CommitReport] = []
    private var nextNumber = 1
    private var isClosed = false

    init(client: Client, signal: EventDescriptor, limit: Int) {
        self.client = client
        self.limit = limit
        unsafe queue = rd_kafka_queue_new(client.pointer)
        var one: UInt64 = 1
        unsafe rd_kafka_queue_io_event_enable(queue, signal.number, &one, 8)
    }

    deinit { close() }

    /// Starts commits, keyed by partition.
    func start(_ commits: [TopicPartition: OffsetCommit]) {
        let list = PartitionList()
        for (partition, commit) in commits {
            list.append(partition, offset: commit.next, metadata: commit.metadata)
        }
        let number = nextNumber
        nextNumber += 1
        let result = unsafe rd_kafka_commit_queue(
            client.pointer, list.pointer, queue, nil, UnsafeMutableRawPointer(bitPattern: number))
        if result == RD_KAFKA_RESP_ERR_NO_ERROR {
            waiting[number] = (commits, milliseconds())
        } else {
            let failure = client.failure(result)
            reports.append(CommitReport(commits: Array(commits.values), failure: failure))
        }
    }

    /// True while a commit for that partition is in progress.
    func isCommitting(_ partition: TopicPartition) -> Bool {
        waiting.values.contains { $0.commits[partition] != nil }
    }

    /// Reports that this member no longer owns these partitions, or that they were recreated.
    func refuse(_ commits: [OffsetCommit]) {
        let failure = KafkaFailure(RD_KAFKA_RESP_ERR__ASSIGNMENT_LOST)
        reports.append(CommitReport(commits: commits, failure: failure))
    }

    func nextReport() -> CommitReport? {
        while reports.isEmpty, !isClosed, let event = unsafe nextEvent(of: queue) {
            unsafe read(event)
            unsafe rd_kafka_event_destroy(event)
        }
        if reports.isEmpty, !waiting.isEmpty { expireCommits() }
        return reports.isEmpty ? nil : reports.removeFirst()
    }

    /// Abandons commits that never complete, so that their offsets are committed again.
    private func expireCommits() {
        let now = milliseconds()
        guard now >= nextLook else { return }
        nextLook = now + 1000
        for (number, entry) in waiting where now - entry.since >= limit {
            waiting[number] = nil
            let failure = KafkaFailure(
                RD_KAFKA_RESP_ERR__TIMED_OUT,
                detail: "a commit of \(entry.commits.count) partitions did not finish within"
                    + " \(limit / 1000) s; retrying it")
            reports.append(CommitReport(commits: Array(entry.commits.values), failure: failure))
        }
    }

    private func read(_ event: OpaquePointer) {
        let number = unsafe Int(bitPattern: rd_kafka_event_opaque(event))
        guard unsafe rd_kafka_event_type(event) == RD_KAFKA_EVENT_OFFSET_COMMIT,
            let commits = waiting.removeValue(forKey: number)?.commits
        else { return }
        let error = unsafe rd_kafka_event_error(event)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let failure = client.failure(error)
            reports.append(CommitReport(commits: Array(commits.values), failure: failure))
            return
        }
        var errors: [TopicPartition: rd_kafka_resp_err_t] = [:]
        unsafe PartitionList.forEach(rd_kafka_event_topic_partition_list(event)) {
            errors[$0.partition] = $0.error
        }
        report(commits, errors)
    }

    /// One report for everything that was committed, and one for each refused commit.
    private func report(
        _ commits: [TopicPartition: OffsetCommit], _ errors: [TopicPartition: rd_kafka_resp_err_t]
    ) {
        var done: [OffsetCommit] = []
        for (partition, commit) in commits {
            let error = errors[partition] ?? RD_KAFKA_RESP_ERR_NO_ERROR
            if error == RD_KAFKA_RESP_ERR_NO_ERROR {
                done.append(commit)
            } else {
                reports.append(CommitReport(commits: [commit], failure: client.failure(error)))
            }
        }
        if !done.isEmpty { reports.append(CommitReport(commits: done, failure: nil)) }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        unsafe rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        unsafe rd_kafka_queue_destroy(queue)
    }
}
