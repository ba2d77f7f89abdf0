internal import APNs
internal import APNsSimulator
internal import Bridge
internal import CAllocations
internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import Glibc
internal import Synchronization
internal import TLS
internal import Telemetry
internal import YAML

/// Measures what a push costs a worker from its record to the acknowledgement of its outcome, with
/// neither Kafka nor sockets: `worker-benchmark [PUSHES [LOAD]]`.
///
/// Counted is all of a worker's own thread, HTTP/2 and TLS included. Not counted is what Kafka's
/// library and the system would do, and what the peers do.
@main enum WorkerBenchmark {
    static func main() {
        let message = Array(CommandLine.arguments.dropFirst())
        let count = message.first.flatMap { Int($0) } ?? 100_000
        let chosen = message.dropFirst().compactMap { Load(rawValue: $0) }
        print("load            pushes          time   allocations")
        for load in chosen.isEmpty ? Load.allCases : chosen {
            do {
                // What is made once is made in both, and falls out of the difference.
                let warm = try World(load, count: count / 10 + 1000).run()
                let whole = try World(load, count: count + count / 10 + 1000).run()
                print(line(load, count, warm, whole))
            } catch {
                print("\(error)")
                exit(70)
            }
        }
        guard chosen.isEmpty else { return }
        do {
            let (one, two) = try (time(ofTwo: false), time(ofTwo: true))
            let ratio = 2 * (one / two)
            print("two workers deliver \(Double(Int(100 * ratio)) / 100) times what one does")
        } catch {
            print("\(error)")
            exit(70)
        }
    }

    /// How long a worker takes, or two at once on a thread each; with the peers and what is made
    /// once.
    private static func time(ofTwo: Bool) throws -> Duration {
        let (world, other) = try (World(.none, count: 200_000), World(.none, count: 200_000))
        let start = MonotonicClock.now
        if ofTwo {
            let failure = Mutex<(any Error)?>(nil)
            let thread = try LoopThread(name: "worker") {
                do { _ = try other.run() } catch { failure.withLock { $0 = error } }
            }
            let result = Result { try world.run() }
            thread.join()
            _ = try result.get()
            if let error = failure.withLock({ $0 }) { throw error }
        } else {
            _ = try world.run()
        }
        return MonotonicClock.now - start
    }

    private static func line(_ load: Load, _ count: Int, _ warm: Cost, _ whole: Cost) -> String {
        let time = Double(whole.nanoseconds) - Double(warm.nanoseconds)
        let allocations = Double(whole.allocations) - Double(warm.allocations)
        let each = (Int(time / Double(count)), Int(100 * allocations / Double(count)))
        return right(load.rawValue, -10) + right("\(count)", 12) + right("\(each.0) ns", 14)
            + right("\(Double(each.1) / 100)", 14)
    }

    /// Fills up with blanks to the right for a negative width, else to the left.
    private static func right(_ text: String, _ width: Int) -> String {
        let blanks = String(repeating: " ", count: max(0, abs(width) - text.count))
        return width < 0 ? text + blanks : blanks + text
    }
}

/// What a run has cost.
struct Cost {
    var nanoseconds: UInt64
    var allocations: UInt64
}

/// What is pushed.
enum Load: String, CaseIterable {
    /// The connector `orders`, without an ordering of its pushes and with one for each device.
    case none, device
    /// Events that contain the fields of a push themselves.
    case canonical

    var connector: String {
        self == .canonical ? "Benchmarks/canonical.yaml" : "connectors/orders.yaml"
    }

    var event: String {
        self == .canonical ? "Benchmarks/canonical.json" : "Benchmarks/Mapping/orders.json"
    }
}

/// A worker for a connector, and all that it talks to.
struct World {
    /// Why there is nothing to measure.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let devices = 500
    private let connector: Connector
    private let events: [[UInt8]]
    private let identity: SimulatorIdentity
    private let count: Int

    init(_ load: Load, count: Int) throws {
        let loaded = ConnectorFile.load(path: load.connector, environment: [:], mode: .inspect)
        guard var connector = loaded.connector else {
            throw Failure(description: Diagnostic.report(loaded.diagnostics))
        }
        connector.delivery.ordering = load == .device ? .device : .none
        self.connector = connector
        self.count = count
        identity = try SimulatorIdentity.generate(hostNames: ["apns.test"])
        let event = String(
            decoding: try InputFile.read(path: load.event), as: UTF8.self)
        let token = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        events = (0..<Self.devices).map { device in
            let digits = String(device + 0x1000_0000, radix: 16)
            let other = digits + token.dropFirst(digits.count)
            return Array(event.replacing(token, with: other).utf8)
        }
    }

    /// Lets the worker send everything, and says what that has cost.
    func run() throws -> Cost {
        let mailbox = Mailbox<WorkerMessage>()
        let excluded = BenchmarkKernel.Excluded()
        let position = BenchmarkSource.Position()
        var worker = try worker(mailbox, excluded, position)
        let (end, cost) = Self.countsAll(&worker)
        guard case .drained(let counters) = end, counters.accepted == count,
            position.committed == count
        else { throw Failure(description: "not everything was accepted: \(end)") }
        return Cost(
            nanoseconds: cost.nanoseconds - excluded.nanoseconds,
            allocations: cost.allocations - excluded.allocations)
    }

    /// Named in the Makefile: what is called from here is counted.
    @inline(never)
    private static func countsAll(
        _ worker: inout Worker<BenchmarkKernel, BenchmarkSource, BenchmarkSink>
    ) -> (WorkerEnd, Cost) {
        let allocations = allocations_of_this_thread()
        let start = processor_time_of_this_thread()
        let end = worker.run()
        let time = processor_time_of_this_thread() - start
        let all = allocations_of_this_thread() - allocations
        return (end, Cost(nanoseconds: time, allocations: all))
    }

    private func worker(
        _ mailbox: Mailbox<WorkerMessage>, _ excluded: BenchmarkKernel.Excluded,
        _ position: BenchmarkSource.Position
    ) throws -> Worker<BenchmarkKernel, BenchmarkSource, BenchmarkSink> {
        let settings = EngineSettings(connector, clusterID: "MkU3OEVBNTcwNTJENDM2Qg")
        let trust = try TLSContext.client(trustRoots: .pem(identity.authorityPEM), alpn: ["h2"])
        let tokens = ProviderTokens(
            key: identity.authenticationKey, keyID: identity.keyID, teamID: identity.teamID)
        let route = APNsRoute(
            endpoint: APNsEndpoint(host: "apns.test", trust: trust), tokens: tokens,
            settings: PoolSettings(connections: 4...4))
        let context = try TLSContext.server(
            certificatePEM: identity.certificatePEM, keyPEM: identity.certificateKeyPEM,
            alpn: ["h2"])
        let sink = BenchmarkSink(count: count) { mailbox.post(.drain) }
        return Worker(
            kernel: BenchmarkKernel(context: context, excluded: excluded),
            source: BenchmarkSource(events, count: count, position: position), sink: sink,
            pools: APNsPools([route], apps: [0], firstToken: WorkerToken.connections),
            plan: connector.plan, settings: settings, mailbox: mailbox, board: FigureBoard(),
            logger: Logger(label: "orders", level: .error)) { _ in }
    }
}
