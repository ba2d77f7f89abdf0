import Delivery
import Testing

@Suite struct `The mark of starts without progress` {
    @Test(arguments: [
        StartMark(), StartMark(starts: 1), StartMark(starts: 99),
        StartMark(starts: 4, wasSent: true), StartMark(starts: 0, wasSent: true),
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
        let mark = StartMark(starts: 1_000_000, wasSent: true)
        #expect(mark.text.count <= StartMark.maxTextLength)
        #expect(StartMark(metadata: mark.text).starts == StartMark.highestCount)
    }

    @Test func `is empty where nothing is to be said, so that older versions read the offsets`() {
        #expect(StartMark().text.isEmpty)
        #expect(StartMark(metadata: "c1:0203") == StartMark())
    }

    @Test func `skips what a newer version adds`() {
        let text = "e2,sent,more;x9,later;c1:0201"
        #expect(StartMark(metadata: text) == StartMark(starts: 2, wasSent: true))
        #expect(CompletedOffsets(text: text, from: 10).ranges == [12..<13])
    }

    @Test(arguments: [
        ("s2;", StartMark(starts: 2)), ("s7;", StartMark(starts: 3)),
        ("s5;t10,1,sent;", StartMark(starts: 3, wasSent: true)),
        ("s6;w10,2;", StartMark(starts: 3)), ("s5;w9,1,sent;t11,0,sent;", StartMark(starts: 3)),
    ])
    func `counts no more than three starts of an older version`(text: String, mark: StartMark) {
        #expect(StartMark(metadata: text + "c1:0201", next: 10) == mark)
        #expect(CompletedOffsets(text: text + "c1:0201", from: 10).ranges == [12..<13])
    }

    @Test(arguments: [
        "", "e", "e;", "e-1;", "ex;", "s", "s;", "s-1;", "t;", "t-5,1;",
        "w99999999999999999999,1,sent;", "no offsets of ours", "E3;", "{\"e\":1};", ";",
        "\u{3000};",
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
