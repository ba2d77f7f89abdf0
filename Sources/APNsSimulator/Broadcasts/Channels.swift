internal import Encoding
internal import EventLoop
internal import Synchronization

/// A simulator's broadcast channels, by app; its loop writes, any thread reads.
public final class Channels: Sendable {
    /// The limit of channels per app, according to Apple.
    public static let limitPerApp = 10_000
    /// The limit of channels for all apps together, so that memory stays bounded.
    public static let limit = 50_000

    private struct App {
        /// The channel IDs in order of creation.
        var order: [[UInt8]] = []
        var channels: [[UInt8]: BroadcastChannel] = [:]
    }

    private let apps = Mutex<[String: App]>([:])
    /// Chooses the IDs of channels.
    private let generator: Mutex<SeededGenerator>

    /// Creates a list without channels; `seed` determines the IDs of those to come.
    public init(seed: UInt64 = .random(in: 0 ... .max)) {
        generator = Mutex(SeededGenerator(seed: seed))
    }

    /// Whether another channel can be created for an app.
    func hasRoom(for app: String) -> Bool {
        apps.withLock { apps in
            (apps[app]?.order.count ?? 0) < Self.limitPerApp
                && apps.values.reduce(0) { $0 + $1.order.count } < Self.limit
        }
    }

    /// Creates a channel, and returns its ID.
    func make(for app: String, storesLatest: Bool, at now: Int64) -> [UInt8] {
        apps.withLock { apps in
            var identifier = newIdentifier()
            while apps[app]?.channels[identifier] != nil { identifier = newIdentifier() }
            apps[app, default: App()].order.append(identifier)
            apps[app, default: App()].channels[identifier] = BroadcastChannel(
                app: app, identifier: String(decoding: identifier, as: UTF8.self),
                storesLatest: storesLatest, madeAt: now)
            return identifier
        }
    }

    /// Creates channels that store their latest broadcast, and returns their IDs.
    public func make(_ count: Int, for app: String) -> [[UInt8]] {
        (0..<count).map { _ in make(for: app, storesLatest: true, at: WallClock.milliseconds) }
    }

    private func newIdentifier() -> [UInt8] {
        generator.withLock { BroadcastChannel.newIdentifier(using: &$0) }
    }

    /// A channel of an app; nil when it does not exist.
    func channel(_ identifier: [UInt8], of app: String) -> BroadcastChannel? {
        apps.withLock { $0[app]?.channels[identifier] }
    }

    /// A channel of any app; nil when it does not exist.
    func channel(_ identifier: [UInt8]) -> BroadcastChannel? {
        apps.withLock { apps in
            apps.values.lazy.compactMap { $0.channels[identifier] }.first
        }
    }

    /// A push was broadcast.
    func noteBroadcast(to identifier: [UInt8], of app: String, at now: Int64) {
        apps.withLock { apps in
            apps[app]?.channels[identifier]?.broadcasts += 1
            apps[app]?.channels[identifier]?.lastBroadcastAt = now
        }
    }

    /// Deletes a channel.
    func remove(_ identifier: [UInt8], of app: String) {
        apps.withLock { apps in
            apps[app]?.order.removeAll { $0 == identifier }
            apps[app]?.channels[identifier] = nil
            if apps[app]?.order.isEmpty == true { apps[app] = nil }
        }
    }

    /// Deletes all channels of all apps.
    func removeAll() { apps.withLock { $0 = [:] } }

    /// The channels of one app, or of all apps, the oldest of each app first.
    public func list(of app: String? = nil) -> [BroadcastChannel] {
        apps.withLock { apps in
            let names = app.map { [$0] } ?? apps.keys.sorted()
            return names.flatMap { name in
                apps[name].map { entry in entry.order.compactMap { entry.channels[$0] } } ?? []
            }
        }
    }
}
