import Avro
import BridgeTesting
import Mapping
import Synchronization

@testable import Bridge

/// A schema registry in a simulated world: it knows one schema by every ID, and may be away.
final class SimulatedRegistry: SchemaSource {
    private struct State: Sendable {
        var isAway = false
        var waiting: [@Sendable (SchemaResult) -> Void] = []
    }

    private let state = Mutex(State())
    private let schema: AvroSchema

    init() throws {
        schema = try AvroSchema(
            Array(
                #"""
                {"type": "record", "name": "E", "fields": [
                  {"name": "device_token", "type": "string"},
                  {"name": "payload", "type": {"type": "record", "name": "P", "fields": [
                    {"name": "aps", "type": {"type": "map", "values": "string"}}]}}]}
                """#.utf8))
    }

    func ask(_ id: SchemaID, _ reply: @escaping @Sendable (SchemaResult) -> Void) {
        let isAway = state.withLock { state in
            if state.isAway { state.waiting.append(reply) }
            return state.isAway
        }
        reply(isAway ? .unavailable("the registry responds 503") : .found(.avro(schema)))
    }

    /// It goes away, or returns and answers all that have asked meanwhile.
    func setAway(_ isAway: Bool) {
        let waiting = state.withLock { state in
            state.isAway = isAway
            guard !isAway else { return [] as [@Sendable (SchemaResult) -> Void] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for reply in waiting { reply(.found(.avro(schema))) }
    }

    /// A canonical event in Avro, with the ID of its schema in front.
    static func event(_ token: String, schema: UInt8) -> [UInt8] {
        let size = UInt8(token.utf8.count)
        // A size of 64 has two bytes: it is written as 128.
        let prefix: [UInt8] = size < 64 ? [size * 2] : [(size &* 2) | 0x80, 1]
        return [0, 0, 0, 0, schema] + prefix + Array(token.utf8)
            + [2, 10] + Array("alert".utf8) + [4] + Array("Hi".utf8) + [0]
    }
}
