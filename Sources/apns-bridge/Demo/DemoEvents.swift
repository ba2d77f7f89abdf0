internal import JSON

/// The events of the demonstration: orders, some of them faulty.
struct DemoEvents {
    /// What an event is designed to trigger.
    enum Kind: CaseIterable {
        case ordinary, unparsable, expired, unregistered, throttled, unavailable

        /// The expected result.
        var ending: DemoEnding {
            switch self {
            case .ordinary, .throttled, .unavailable: DemoEnding(verdict: "accepted", reason: nil)
            case .unparsable: DemoEnding(verdict: "dropped", reason: "unparsable")
            case .expired: DemoEnding(verdict: "dropped", reason: "expired")
            case .unregistered: DemoEnding(verdict: "rejected", reason: "Unregistered")
            }
        }

        /// The prefix of the device token, which determines the simulator's response.
        var tokenPrefix: String {
            switch self {
            case .ordinary, .unparsable, .expired: "a0"
            case .unregistered: "dead"
            case .throttled: "4290"
            case .unavailable: "5030"
            }
        }
    }

    static let count = 2000

    /// The kind of the event with a number: out of 50, one cannot be read, two come too late, two
    /// go to a device without the app, one is throttled, one meets a busy server.
    static func kind(of number: Int) -> Kind {
        switch number % 50 {
        case 7: .unparsable
        case 13, 38: .expired
        case 19, 44: .unregistered
        case 25: .throttled
        case 31: .unavailable
        default: .ordinary
        }
    }

    /// The expected number of notifications for each result.
    static var endings: [DemoEnding: Int] {
        var endings: [DemoEnding: Int] = [:]
        for number in 0..<count { endings[kind(of: number).ending, default: 0] += 1 }
        return endings
    }

    /// The event with a number, in the format of `connectors/orders.example.json`; it is for the
    /// device with a number of its own, or with the same number.
    static func event(_ number: Int, device: Int? = nil, now seconds: Int64) -> [UInt8] {
        let kind = kind(of: number)
        var json = JSONWriter()
        json.beginObject()
        json.text("type", number % 2 == 0 ? "order.shipped" : "order.delivered")
        json.name("order")
        json.beginObject()
        json.name("id")
        json.integer(7000 + number)
        json.endObject()
        json.name("customer")
        json.beginObject()
        json.text("name", number % 3 == 0 ? "Ana" : "Bo")
        json.name("unread")
        json.integer(number % 4)
        json.name("device")
        json.beginObject()
        json.text("token", SampleToken.text(device ?? number, prefix: kind.tokenPrefix))
        json.endObject()
        json.endObject()
        json.name("expires_at")
        json.integer(kind == .expired ? seconds - 60 : seconds + 14_400)
        json.endObject()
        return kind == .unparsable ? Array(json.bytes.dropLast(9)) : json.bytes
    }
}

/// A possible result of a notification.
struct DemoEnding: Hashable, Comparable {
    var verdict: String
    var reason: String?

    static func < (left: Self, right: Self) -> Bool {
        (left.verdict, left.reason ?? "") < (right.verdict, right.reason ?? "")
    }
}

extension JSONWriter {
    fileprivate mutating func text(_ name: String, _ value: String) {
        self.name(name)
        string(value)
    }
}
