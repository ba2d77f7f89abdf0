import Encoding
import Testing

@testable import APNsSimulator

/// Random histories of devices, next to a model that is as simple as Apple's description.
@Suite struct `Devices agree with a simple model` {
    /// The state of one device, as simple as possible.
    private struct Model {
        var isOnline = true
        var isRegistered = true
        var shown: [String] = []
        var stored: [String: (title: String, expiresAt: Int64)] = [:]
    }

    @Test(arguments: 1...40)
    func `through a random history`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = MemoryLimits()
        limits.pushesPerDevice = 1_000
        var desk = DeviceDesk(limits)
        var models = [Model](repeating: Model(), count: 3)
        for step in 0..<300 {
            let number = random.below(3)
            let token = try #require(
                DeviceToken(String(repeating: "0", count: 63) + "\(number)"))
            desk.now += Int64(random.below(5_000))
            try live(step, token, &models[number], &desk, &random)
            try compare(token, models[number], desk)
        }
    }

    private func live(
        _ step: Int, _ token: DeviceToken, _ model: inout Model, _ desk: inout DeviceDesk,
        _ random: inout SeededGenerator
    ) throws {
        switch random.below(8) {
        case 0:
            model.isOnline = false
            _ = try desk.devices.setOnline(false, token, at: desk.now)
        case 1:
            let now = desk.now
            model.isOnline = true
            for waiting in model.stored.values where waiting.expiresAt > now {
                model.shown.append(waiting.title)
            }
            model.stored = [:]
            _ = try desk.devices.setOnline(true, token, at: now)
        case 2 where random.below(4) == 0:
            model.isRegistered.toggle()
            model.stored = [:]
            if model.isRegistered {
                try desk.devices.register(token)
            } else {
                try desk.devices.unregister(token, at: desk.now)
            }
        default:
            guard desk.devices.refusal(of: token) == nil else { return }
            push(step, token, &model, &desk, &random)
        }
    }

    private func push(
        _ step: Int, _ token: DeviceToken, _ model: inout Model, _ desk: inout DeviceDesk,
        _ random: inout SeededGenerator
    ) {
        let app = ["a", "b"][random.below(2)]
        let seconds = Int64(random.below(20)) - 2
        let expiration = desk.now / 1000 + seconds
        desk.push(["apns-expiration": "\(expiration)"], title: "\(step)", topic: app, to: token)
        if model.isOnline {
            model.shown.append("\(step)")
        } else if expiration * 1000 > desk.now {
            model.stored[app] = ("\(step)", expiration * 1000)
        }
    }

    private func compare(_ token: DeviceToken, _ model: Model, _ desk: DeviceDesk) throws {
        var devices = desk.devices
        devices.expire(at: desk.now)
        let device = devices.device(token)
        #expect((desk.devices.refusal(of: token) == nil) == model.isRegistered)
        let shown = Set(device?.lockScreen.notifications.map { $0.title ?? "" } ?? [])
        #expect(shown == Set(model.shown))
        let waiting = model.stored.values.filter { $0.expiresAt > desk.now }
        #expect(device?.pushes.count { $0.fate == .stored } ?? 0 == waiting.count)
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
