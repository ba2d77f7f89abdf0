import Foundation

/// A terminal at which nobody sits: what is typed is there before it is read.
final class PseudoTerminal {
    private let master: Int32
    /// The terminal, as a program sees it.
    let screen: FileHandle

    init() throws {
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK unlocks the other end, and TIOCGPTN returns its number.
        var (lock, number): (Int32, Int32) = (0, 0)
        guard unsafe ioctl(master, 0x4004_5431, &lock) == 0,
            unsafe ioctl(master, 0x8004_5430, &number) == 0
        else { throw POSIXError(.ENOTTY) }
        let other = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw POSIXError(.ENOTTY) }
        screen = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    }

    deinit { close(master) }

    /// Types some keys; Ctrl-D is `\u{4}`.
    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }
}
