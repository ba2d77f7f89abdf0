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
        var harness = DeviceHarness(limits)
        var models = [Model](repeating: Model(), count: 3)
        for step in 0..<300 {
            let number = random.below(3)
            let token = try #require(
                TokenBytes(String(repeating: "0", count: 63) + "\(number)"))
            harness.now += Int64(random.below(5_000))
            try live(step, token, &models[number], &harness, &random)
            try compare(token, models[number], harness)
        }
    }

    private func live(
        _ step: Int, _ token: TokenBytes, _ model: inout Model, _ harness: inout DeviceHarness,
        _ random: inout SeededGenerator
    ) throws {
        switch random.below(8) {
        case 0:
            model.isOnline = false
            _ = try harness.devices.setOnline(false, token, at: harness.now)
        case 1:
            let now = harness.now
            model.isOnline = true
            for waiting in model.stored.values where waiting.expiresAt > now {
                model.shown.append(waiting.title)
            }
            model.stored = [:]
            _ = try harness.devices.setOnline(true, token, at: now)
        case 2 where random.below(4) == 0:
            model.isRegistered.toggle()
            model.stored = [:]
            if model.isRegistered {
                try harness.devices.register(token)
            } else {
                try harness.devices.unregister(token, at: harness.now)
            }
        default:
            guard harness.devices.refusal(of: token) == nil else { return }
            push(step, token, &model, &harness, &random)
        }
    }

    private func push(
        _ step: Int, _ token: TokenBytes, _ model: inout Model, _ harness: inout DeviceHarness,
        _ random: inout SeededGenerator
    ) {
        let app = ["a", "b"][random.below(2)]
        let seconds = Int64(random.below(20)) - 2
        let expiration = harness.now / 1000 + seconds
        harness.push(["apns-expiration": "\(expiration)"], title: "\(step)", topic: app, to: token)
        if model.isOnline {
            model.shown.append("\(step)")
        } else if expiration * 1000 > harness.now {
            model.stored[app] = ("\(step)", expiration * 1000)
        }
    }

    private func compare(_ token: TokenBytes, _ model: Model, _ harness: DeviceHarness) throws {
        var devices = harness.devices
        devices.expire(at: harness.now)
        let device = devices.device(token)
        #expect((harness.devices.refusal(of: token) == nil) == model.isRegistered)
        let shown = Set(device?.lockScreen.notifications.map { $0.title ?? "" } ?? [])
        #expect(shown == Set(model.shown))
        let waiting = model.stored.values.filter { $0.expiresAt > harness.now }
        #expect(device?.pushes.count { $0.state == .stored } ?? 0 == waiting.count)
    }
}

extension SeededGenerator {
    fileprivate mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
