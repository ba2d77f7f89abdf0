internal import CLinux
internal import Glibc

/// What the operating system lets this process use.
public struct ProcessLimits: Sendable {
    /// How many files and sockets may be open at once; nil for any number.
    public var openFiles: Int?
    /// How many bytes of memory its control group may use; nil for no limit.
    public var memory: Int?

    /// Describes limits.
    public init(openFiles: Int?, memory: Int?) {
        self.openFiles = openFiles
        self.memory = memory
    }

    /// The limits of this process: RLIMIT_NOFILE, and the lowest `memory.max` of its control group
    /// (version 2) and of those above it.
    public static func current() -> ProcessLimits {
        ProcessLimits(
            openFiles: currentOpenFiles,
            memory: memoryLimit(of: text(of: "/proc/self/cgroup") ?? "") { text(of: $0) })
    }

    /// RLIMIT_NOFILE of this process; nil for any number.
    public static var currentOpenFiles: Int? {
        let files = Int(linux_open_files_limit())
        return files < 0 ? nil : files
    }

    /// True for the error numbers of system calls that lack descriptors, threads or memory.
    static func isLack(_ code: Int32) -> Bool {
        [EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC].contains(code)
    }

    /// What follows the message of a system call that failed with `code`: which limit was reached,
    /// and how to raise it; nothing for other failures.
    public static func remedy(for code: Int32) -> String {
        switch code {
        case EMFILE:
            let limit = currentOpenFiles.map { " of \($0)" } ?? ""
            return ": raise the limit\(limit) (ulimit -n, LimitNOFILE= of systemd)"
        case ENFILE: return ": raise the system's limit (sysctl fs.file-max)"
        case ENOSPC:
            return ": raise the limit of watched descriptors (sysctl fs.epoll.max_user_watches)"
        default: return ""
        }
    }

    /// Keeps some descriptors for Swift's tasks, so that a process without others keeps running.
    /// If there are not even those, says so on standard error, and exits with 69.
    public static func reserveDescriptors() {
        let code = linux_reserve_descriptors()
        guard code != 0 else { return }
        let line = Array("error: \(KernelError("open", code).description)\n".utf8)
        _ = unsafe write(2, line, line.count)
        _exit(69)
    }

    /// Lets this process open as many files and sockets as its hard limit allows; returns how many
    /// that is, nil for any number.
    public static func raiseOpenFiles() -> Int? {
        let files = Int(linux_raise_open_files_limit())
        return files < 0 ? nil : files
    }

    /// The memory limit of a control group, as `/proc/self/cgroup` names it.
    static func memoryLimit(of groups: String, _ read: (_ path: String) -> String?) -> Int? {
        let line = groups.split(separator: "\n").first { $0.hasPrefix("0::") }
        guard let line else { return nil }
        var steps = line.dropFirst(3).split(separator: "/").map(String.init)
        var limits: [Int] = []
        while true {
            let folder = (["/sys/fs/cgroup"] + steps).joined(separator: "/")
            let message = read(folder + "/memory.max") ?? ""
            if let limit = Int(message.prefix { $0 != "\n" }) { limits.append(limit) }
            guard steps.popLast() != nil else { return limits.min() }
        }
    }

    /// The first 4,096 bytes of a file of the kernel, such as those of `/proc`, which claim to have
    /// no size; nil if it cannot be read.
    public static func text(of path: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe linux_read_file(path, &bytes, Int64(bytes.count))
        guard count >= 0 else { return nil }
        let text = bytes.prefix(Int(count)).map(UInt8.init(bitPattern:))
        return String(decoding: text, as: UTF8.self)
    }
}
