import BridgeTesting
import Configuration
import Delivery
import Encoding
import Foundation

@testable import KafkaLogin

/// A file in which something else keeps a token: a real one, which the bridge reads as it would.
final class SimulatedTokenFile: SimulatedTokenSource {
    /// What stands there.
    enum Content {
        /// A new token, which is valid for so many seconds.
        case token(Int64)
        /// The first half of a new token: it is being written.
        case half
        /// A token that has expired: whoever renews it does so no more.
        case stale
        case empty
        /// Nothing, as between the removal of the old file and the new one.
        case missing
        /// Something that cannot be read.
        case folder
    }

    /// Where it is.
    let path: String
    private(set) var request: TokenRequest
    private let clock: SimulatedClock
    private var chance: SeededGenerator
    private var tokens: [String: SimulatedToken] = [:]
    private var count = 0

    init(_ world: World, stream: UInt64 = 173) {
        clock = world.clock
        chance = world.seed.generator(stream)
        path = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID())").path
        request = TokenRequest(.file(path: path))
        change()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var name: String { path }

    func ask(wallClock: Int64) -> SimulatedTokenResult {
        let delay = Duration.milliseconds(1)
        do throws(TokenFault) {
            let token = try request.fetch(now: wallClock) { true }
            return SimulatedTokenResult(result: .success(token), delay: delay)
        } catch {
            return SimulatedTokenResult(result: .failure(error), delay: delay)
        }
    }

    func rejected() { request.rejected() }

    func issued(_ token: String) -> SimulatedToken? { tokens[token] }

    func heal() { write(.token(3600)) }

    func change() {
        let life = Int64(chance.number(in: 2...20))
        switch chance.next() % 8 {
        case 0: write(.half)
        case 1: write(.stale)
        case 2: write(.empty)
        case 3: write(.missing)
        case 4: write(.folder)
        default: write(.token(life))
        }
    }

    /// Replaces what stands there.
    func write(_ content: Content) {
        try? FileManager.default.removeItem(atPath: path)
        switch content {
        case .token(let life): put(token(life))
        case .half:
            let whole = token(60)
            put(String(whole.prefix(whole.count / 2)))
        case .stale: put(token(-1))
        case .empty: put("")
        case .missing: break
        case .folder:
            try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        }
    }

    private func put(_ text: String) {
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
    }

    /// A JSON Web Token, as far as anyone here looks into it.
    private func token(_ life: Int64) -> String {
        count += 1
        let claims = Array(#"{"exp":\#(clock.wallClock / 1000 + life)}"#.utf8)
        let body = String(decoding: Base64.url.encode(claims), as: UTF8.self)
        let token = "e30.\(body).signature\(count)"
        tokens[token] = SimulatedToken(
            issued: clock.now, validUntil: clock.now + .seconds(life))
        return token
    }
}
