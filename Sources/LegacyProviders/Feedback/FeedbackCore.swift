internal import Delivery

/// The feedback service as a state machine without sockets, clock or Kafka: events of links and
/// fetches go in, and actions come out of ``takeCommands()``.
///
/// Each app has one fetch at a time; further providers of the app wait for their turn. Offsets are
/// committed once the provider has closed the connection after everything was sent.
public struct FeedbackCore: Sendable {
    /// An action to take.
    public enum Command: Equatable, Sendable {
        /// Start reading for an app.
        case fetch(app: Int)
        /// Continue reading for an app.
        case more(app: Int)
        /// Commit what was read for an app.
        case commit(app: Int)
        /// Discard what was read for an app.
        case abandon(app: Int)
        /// An action on a link.
        case link(Int, LinkCommand)
    }

    private enum Phase {
        case idle
        /// A batch is being read for the link.
        case reading
        /// A batch is being sent to the provider.
        case sending
        /// Everything was sent: the provider must close.
        case closing
        /// The link is gone, and the fetch is finishing.
        case ending
    }

    private struct AppState {
        var phase = Phase.idle
        var current: Int?
        var waiting: [Int] = []
    }

    private var states: [AppState]
    private var apps: [Int: Int] = [:]
    private var commands: [Command] = []
    private var isStopping = false

    /// Creates a service for this many apps.
    public init(apps: Int) { states = Array(repeating: AppState(), count: apps) }

    /// True while a fetch is in progress.
    public var isBusy: Bool { states.contains { $0.phase != .idle } }

    /// The actions since the last call.
    public mutating func takeCommands() -> [Command] {
        defer { commands.removeAll() }
        return commands
    }

    /// A provider of an app has connected.
    public mutating func opened(_ link: Int, app: Int) {
        guard !isStopping else { return commands.append(.link(link, .reset)) }
        apps[link] = app
        states[app].waiting.append(link)
        begin(app)
    }

    private mutating func begin(_ app: Int) {
        guard states[app].phase == .idle, !states[app].waiting.isEmpty else { return }
        states[app].current = states[app].waiting.removeFirst()
        states[app].phase = .reading
        commands.append(.fetch(app: app))
    }

    /// Part of the requested data was read; the last part may be empty.
    public mutating func read(_ bytes: [UInt8], app: Int, isLast: Bool) {
        guard states[app].phase == .reading, let link = states[app].current else { return }
        if !bytes.isEmpty { commands.append(.link(link, .send(bytes))) }
        if isLast {
            states[app].phase = .closing
            commands.append(.link(link, .finish))
        } else if bytes.isEmpty {
            commands.append(.more(app: app))
        } else {
            states[app].phase = .sending
        }
    }

    /// Everything for a provider has been sent.
    public mutating func drained(_ link: Int) {
        guard let app = apps[link], states[app].current == link, states[app].phase == .sending
        else { return }
        states[app].phase = .reading
        commands.append(.more(app: app))
    }

    /// A provider has ended its side before it received everything: its fetch is abandoned.
    public mutating func finished(_ link: Int) {
        guard apps[link] != nil else { return }
        ended(link, isClean: false)
        commands.append(.link(link, .close))
    }

    /// A link is gone.
    public mutating func ended(_ link: Int, isClean: Bool) {
        guard let app = apps.removeValue(forKey: link) else { return }
        guard states[app].current == link else {
            return states[app].waiting.removeAll { $0 == link }
        }
        states[app].current = nil
        guard states[app].phase != .ending else { return }
        let isReported = isClean && states[app].phase == .closing
        states[app].phase = .ending
        commands.append(isReported ? .commit(app: app) : .abandon(app: app))
    }

    /// A fetch has finished: committed, discarded, or failed.
    public mutating func fetchEnded(app: Int) {
        if let link = states[app].current {
            // It failed: a reset shows that, while a regular close would mean that there is no
            // feedback.
            states[app].current = nil
            apps[link] = nil
            commands.append(.link(link, .reset))
        }
        states[app].phase = .idle
        begin(app)
    }

    /// Resets unfinished links; providers that have received everything may still close.
    public mutating func stop() {
        isStopping = true
        for app in states.indices {
            for link in states[app].waiting { commands.append(.link(link, .reset)) }
            if let link = states[app].current, states[app].phase != .closing {
                commands.append(.link(link, .reset))
            }
        }
    }
}

extension FeedbackCore: LinkOwner {
    mutating func linkOpened(_ link: Int, app: Int, at now: Instant) { opened(link, app: app) }

    // Providers send nothing in this protocol.
    mutating func link(_ link: Int, received bytes: RawSpan, at now: Instant) {}

    mutating func linkFinished(_ link: Int) { finished(link) }

    mutating func linkDrained(_ link: Int) { drained(link) }

    mutating func linkEnded(_ link: Int, isClean: Bool) { ended(link, isClean: isClean) }

    func wantsInput(_ link: Int) -> Bool { true }
}
