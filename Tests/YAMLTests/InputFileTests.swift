import Testing
import YAML

@Suite struct `A file that a user names` {
    @Test func `is rejected if it has no end`() {
        let failure = #expect(throws: InputFile.Failure.self) {
            try InputFile.read(path: "/dev/zero", limit: 100)
        }
        #expect(failure?.reason == "it is not a regular file")
    }

    @Test func `is distinguished from one that does not exist`() {
        let folder = #expect(throws: InputFile.Failure.self) { try InputFile.read(path: "/") }
        #expect(folder?.isMissing == false)
        #expect(folder?.reason == "is a directory")
        let missing = #expect(throws: InputFile.Failure.self) {
            try InputFile.read(path: "/no/such/file")
        }
        #expect(missing?.isMissing == true)
    }

    @Test func `is not a folder, which is listed in order`() throws {
        #expect(try InputFile.names(inFolder: "/dev/null") == nil)
        let names = try #require(try InputFile.names(inFolder: "/"))
        #expect(names == names.sorted() && names.contains("dev"))
    }
}
