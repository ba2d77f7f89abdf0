internal import CLinux
internal import Glibc

/// Runs another program to its end.
public enum ChildProcess {
    /// How a program ended.
    public struct Ending: Equatable, Sendable {
        /// Its exit code; 128 and the signal's number when a signal ended it.
        public var exitCode: Int32
        /// What it wrote to standard output and standard error, up to a limit.
        public var output: [UInt8]
        /// The processor time it took in user space, in seconds.
        public var userSeconds: Double
        /// The processor time it took in the kernel, in seconds.
        public var kernelSeconds: Double
    }

    /// Why a program could not be started.
    public enum Failure: Error, Equatable, Sendable {
        /// No directory of `PATH` contains the program.
        case notFound
        /// The system refused with this error number.
        case system(Int32)
    }

    /// Runs a program found in `PATH` and waits for it; keeps at most `limit` bytes of its output.
    public static func run(
        _ program: String, _ arguments: [String], limit: Int = 1_048_576
    ) throws(Failure) -> Ending {
        var ends: [Int32] = [-1, -1]
        guard unsafe linux_pipe(&ends) == 0 else { throw .system(errno) }
        let reader = ends[0]
        defer { close(reader) }
        let child: pid_t
        do throws(Failure) {
            child = try start([program] + arguments, writingTo: ends[1])
        } catch {
            close(ends[1])
            throw error
        }
        close(ends[1])
        let output = readAll(reader, limit: limit)
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(child, &status, 0, &usage) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Ending(
            exitCode: signal == 0 ? status >> 8 & 0xff : 128 + signal, output: output,
            userSeconds: seconds(usage.ru_utime), kernelSeconds: seconds(usage.ru_stime))
    }

    /// Starts a program whose standard output and standard error are the same descriptor.
    private static func start(
        _ arguments: [String], writingTo output: Int32
    ) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var texts: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe texts.append(nil)
        defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
        var child = pid_t()
        let environment = unsafe UnsafePointer(linux_environment())
        let error = unsafe posix_spawnp(&child, arguments[0], &actions, nil, texts, environment)
        guard error == 0 else { throw error == ENOENT ? .notFound : .system(error) }
        return child
    }

    private static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += piece[..<min(count, max(0, limit - bytes.count))]
        }
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
