import Delivery
import Testing

@Suite struct `The mark of starts without progress` {
    @Test(arguments: [
        StartMark(), StartMark(starts: 1), StartMark(starts: 99),
        StartMark(starts: 4, suspects: [SuspectRecord(offset: 0, isBeingTried: true)]),
        StartMark(suspects: [
            SuspectRecord(offset: 7, crashes: 1, isBeingTried: false, wasSent: true),
            SuspectRecord(offset: .max, crashes: 99, isBeingTried: true, wasSent: true),
        ]),
    ])
    func `is read as it was written, before the completed offsets`(mark: StartMark) {
        let done = CompletedOffsets(ranges: [12..<15, 20..<21])
        for map in ["", done.text(from: 10)] {
            let text = mark.text + map
            #expect(StartMark(metadata: text) == mark)
            let expected = map.isEmpty ? CompletedOffsets() : done
            #expect(CompletedOffsets(text: text, from: 10) == expected)
        }
    }

    @Test func `fits into the characters that are reserved for it`() {
        let worst = SuspectRecord(
            offset: .max, crashes: 1_000_000, isBeingTried: true, wasSent: true)
        let mark = StartMark(starts: 1_000_000, suspects: [worst, worst, worst])
        #expect(mark.text.count <= StartMark.maxTextLength)
        #expect(StartMark(metadata: mark.text).suspects.count == StartMark.maxSuspects)
    }

    @Test func `is empty where nothing is to be said, so that older versions read the offsets`() {
        #expect(StartMark().text.isEmpty)
        #expect(StartMark(metadata: "c1:0203") == StartMark())
    }

    @Test func `skips what a newer version adds`() {
        let text = "s2;x9,later;t5,1,sent,more;c1:0201"
        let suspect = SuspectRecord(offset: 5, crashes: 1, isBeingTried: true, wasSent: true)
        #expect(StartMark(metadata: text) == StartMark(starts: 2, suspects: [suspect]))
        #expect(CompletedOffsets(text: text, from: 10).ranges == [12..<13])
    }

    @Test(arguments: [
        "", "s", "s;", "s-1;", "sx;", "t;", "t5;", "t5,;", "t,1;", "t-5,1;",
        "w99999999999999999999,1;", "no offsets of ours", "S3;", "{\"s\":1};", ";", "\u{3000};",
    ])
    func `ignores what is foreign`(text: String) {
        #expect(StartMark(metadata: text) == StartMark())
        #expect(CompletedOffsets(text: text, from: 0) == CompletedOffsets())
    }

    @Test func `has no room where the broker stores hardly any metadata`() {
        #expect(MetadataBudget().hasRoomForMark)
        let marks = StartMark.maxTextLength + LogMark.maxTextLength
        #expect(MetadataBudget().mapCharacters == 4096 - marks)
        let small = MetadataBudget(characters: 100)
        #expect(!small.hasRoomForMark && small.mapCharacters == 100)
    }
}
