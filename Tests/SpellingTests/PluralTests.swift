import Spelling
import Testing

@Suite struct `A counted noun` {
    @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
    func `is plural unless there is one`(count: Int, expected: String) {
        #expect(Plural.counted(count, "file") == expected)
    }
}
