import Testing

@testable import YAML

@Suite struct `A file with a secret` {
    struct Case {
        let mode, owner, group, reader: UInt32
        let isOpen: Bool
    }

    @Test(arguments: [
        Case(mode: 0o640, owner: 7, group: 7, reader: 7, isOpen: true),
        Case(mode: 0o604, owner: 7, group: 7, reader: 7, isOpen: true),
        Case(mode: 0o600, owner: 7, group: 7, reader: 7, isOpen: false),
        Case(mode: 0o444, owner: 0, group: 7, reader: 7, isOpen: true),
        Case(mode: 0o440, owner: 0, group: 7, reader: 7, isOpen: false),
        Case(mode: 0o640, owner: 0, group: 0, reader: 0, isOpen: true),
        Case(mode: 0o644, owner: 0, group: 7, reader: 0, isOpen: true),
        Case(mode: 0o640, owner: 0, group: 7, reader: 0, isOpen: false),
    ])
    func `is open to others by its mode, and by its group unless that is how it was handed over`(
        _ file: Case
    ) {
        #expect(
            InputFile.isOpenToOthers(
                mode: file.mode, owner: file.owner, group: file.group, reader: file.reader)
                == file.isOpen)
    }
}
