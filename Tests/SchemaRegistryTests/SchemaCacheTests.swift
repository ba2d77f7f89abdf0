import Mapping
import Testing

@testable import SchemaRegistry

@Suite struct `Schemas that a registry has given out` {
    @Test func `are forgotten beyond a number, the oldest first`() {
        var cache = SchemaCache(limit: 3)
        for id in 1...100 { cache.remember(.id(UInt32(id)), .unusable("x")) }
        #expect(cache.count == 3)
        #expect(cache.byteCount == 3)
        #expect(cache[.id(97)] == nil)
        #expect(cache[.id(98)] != nil && cache[.id(100)] != nil)
    }

    @Test func `are forgotten beyond a size`() {
        var cache = SchemaCache(byteLimit: 1000)
        for id in 1...20 {
            cache.remember(.id(UInt32(id)), .unusable(String(repeating: "x", count: 300)))
        }
        #expect(cache.count == 3)
        #expect(cache.byteCount == 900)
        // One that is too large for all others stays alone.
        cache.remember(.id(50), .unusable(String(repeating: "x", count: 2000)))
        #expect(cache.count == 1 && cache[.id(50)] != nil)
    }

    @Test func `count once when they are found again`() {
        var cache = SchemaCache(limit: 2)
        cache.remember(.id(1), .unknown)
        cache.remember(.id(1), .unusable("abc"))
        cache.remember(.id(1), .unusable("a"))
        cache.remember(.id(2), .unusable("b"))
        #expect(cache.count == 2 && cache.byteCount == 2)
        cache.remember(.id(3), .unusable("c"))
        #expect(cache[.id(1)] == nil && cache.count == 2)
    }
}
