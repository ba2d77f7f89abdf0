import Testing

@testable import YAML

@Suite struct `A file with a secret` {
    @Test(arguments: [
        (mode: 0o600, isOwn: true, isOpen: false), (mode: 0o640, isOwn: true, isOpen: true),
        (mode: 0o604, isOwn: true, isOpen: true), (mode: 0o440, isOwn: false, isOpen: false),
        (mode: 0o444, isOwn: false, isOpen: true),
    ] as [(mode: UInt32, isOwn: Bool, isOpen: Bool)])
    func `is open to others by its mode, and by its group unless that is how it was handed over`(
        mode: UInt32, isOwn: Bool, isOpen: Bool
    ) {
        #expect(InputFile.isOpenToOthers(mode: mode, isOwn: isOwn) == isOpen)
    }
}
