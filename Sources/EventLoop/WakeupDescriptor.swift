internal import CLinux
internal import Glibc

/// A descriptor that one thread makes readable to wake another; the negated error number where the
/// system has none left, which ``Kernel/watch(_:token:)`` throws.
package enum WakeupDescriptor {
    /// True where a test lets the process have no descriptor left.
    @TaskLocal package static var isLimitReached = false

    /// Opens one; the negated error number where the system has none left.
    package static func open() -> Int32 {
        guard !isLimitReached else { return -EMFILE }
        let descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
        return descriptor < 0 ? -errno : descriptor
    }

    /// Makes it readable; does nothing with an error number.
    package static func signal(_ descriptor: Int32) {
        if descriptor >= 0 { _ = eventfd_write(descriptor, 1) }
    }

    /// Closes it; does nothing with an error number.
    package static func close(_ descriptor: Int32) {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }
}
