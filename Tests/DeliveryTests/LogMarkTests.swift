import Delivery
import Testing

@Suite struct `What a commit records about a log` {
    private let done = CompletedOffsets(ranges: [12..<15, 20..<21])

    @Test(arguments: [
        LogMark(), LogMark(partitionCount: 1), LogMark(time: 1_764_187_200_000),
        LogMark(partitionCount: 200_000, time: 1),
    ])
    func `is read as it was written, between the starts and the completed offsets`(mark: LogMark) {
        let starts = StartMark(starts: 2, wasSent: true)
        for text in [mark.text, starts.text + mark.text + done.text(from: 10)] {
            #expect(LogMark(metadata: text) == mark)
        }
        let text = starts.text + mark.text + done.text(from: 10)
        #expect(StartMark(metadata: text) == starts)
        #expect(CompletedOffsets(text: text, from: 10) == done)
    }

    @Test func `fits into the characters that are reserved for it`() {
        for mark in [
            LogMark(partitionCount: .max, time: .max), LogMark(partitionCount: .max, time: 1),
            LogMark(partitionCount: 2_147_483_647, time: 999_999_999_999_999),
        ] {
            #expect(mark.text.count <= LogMark.maxTextLength)
        }
    }

    @Test func `is missing in commits of older versions, whose completed offsets are read`() {
        let text = "s2;t5,1,sent;" + done.text(from: 10)
        #expect(LogMark(metadata: text) == LogMark())
        #expect(CompletedOffsets(text: text, from: 10) == done)
        #expect(LogMark(metadata: "") == LogMark())
    }

    @Test(arguments: ["n", "n;", "n0;", "n-3;", "nx;", "m;", "m-1;", "no offsets of ours", "N3;"])
    func `ignores what is foreign`(text: String) {
        #expect(LogMark(metadata: text) == LogMark())
    }
}

@Suite struct `The partitions that a topic had when its group began` {
    private let done = CompletedOffsets(ranges: [12..<15]).text(from: 10)

    @Test func `are those of now if the group has committed nothing`() {
        #expect(FirstPartitions.count(committed: [:], now: 3) == 3)
    }

    @Test func `are those that any of its commits records`() {
        #expect(FirstPartitions.count(committed: [0: "n1;"], now: 3) == 1)
        #expect(FirstPartitions.count(committed: [2: "s1;n3;m5;" + done], now: 8) == 3)
        // A member of the new group that died between its first commits.
        #expect(FirstPartitions.count(committed: [1: "n3;"], now: 3) == 3)
        #expect(FirstPartitions.count(committed: [0: "", 1: "n2;", 2: done], now: 3) == 2)
    }

    @Test func `are the fewest if two members saw the topic grow while they began`() {
        #expect(FirstPartitions.count(committed: [0: "n4;", 1: "n3;"], now: 4) == 3)
    }

    @Test func `reach to the last one with an offset if an older version committed them`() {
        #expect(FirstPartitions.count(committed: [0: "", 1: done], now: 3) == 2)
        #expect(FirstPartitions.count(committed: [0: "s1;", 2: ""], now: 3) == 3)
    }
}
