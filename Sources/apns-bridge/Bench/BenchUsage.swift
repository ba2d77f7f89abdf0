internal import EventLoop
internal import Glibc
internal import YAML

/// What this process has used so far, by thread, and how busy the machine has been.
struct BenchUsage: Equatable, Sendable {
    /// A thread, and its processor time in clock ticks.
    struct Thread: Equatable, Sendable {
        var name: String
        var user: Int
        var kernel: Int
    }

    /// Clock ticks per second.
    static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    /// The processors of this machine.
    static let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))

    /// The threads by number.
    var threads: [Int: Thread] = [:]
    /// Clock ticks of all processors, and those that this process could have had: without work, or
    /// with that of programs of a lower priority.
    var machine = 0
    var idle = 0

    /// Reads the current values.
    static func read() -> BenchUsage {
        var usage = BenchUsage()
        let folder = "/proc/self/task"
        for name in (try? InputFile.names(inFolder: folder) ?? []) ?? [] {
            guard let number = Int(name),
                let thread = text("\(folder)/\(name)/stat").flatMap({ Thread(stat: $0) })
            else { continue }
            usage.threads[number] = thread
        }
        let hasLowPriority = getpriority(Int32(PRIO_PROCESS.rawValue), 0) > 0
        usage.readMachine(text("/proc/stat") ?? "", hasLowPriority: hasLowPriority)
        return usage
    }

    /// Reads the first line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal.
    mutating func readMachine(_ text: String, hasLowPriority: Bool) {
        let line = text.prefix { $0 != "\n" }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
        guard ticks.count >= 5 else { return }
        machine = ticks.reduce(0, +)
        idle = ticks[3] + ticks[4] + (hasLowPriority ? 0 : ticks[1])
    }

    private static func text(_ path: String) -> String? { ProcessLimits.text(of: path) }
}

extension BenchUsage.Thread {
    /// Reads a line of `/proc/PID/task/TID/stat`; a name may contain spaces and parentheses.
    init?(stat: String) {
        guard let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")"), start < end
        else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Int(fields[11]), let kernel = Int(fields[12]) else {
            return nil
        }
        name = String(stat[stat.index(after: start)..<end])
        self.user = user
        self.kernel = kernel
    }
}
