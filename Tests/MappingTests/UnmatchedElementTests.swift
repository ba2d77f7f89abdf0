import Delivery
import Mapping
import Testing

@Suite struct `An element that matches no block` {
    private static let event = #"""
        {"devices":[{"token":"aa","os":"ios"},{"token":"bb","os":"web"},{"token":"cc","os":"watch"},
         {"token":"dd","os":"tv"}]}
        """#

    private static func block(_ os: String?, _ rest: MappingSource? = nil) -> MappingSource {
        var list: MappingSource = ["items": "${devices}", "as": "device"]
        if let os { list = list.with(["when": ["os": [.text(os)]]]) }
        if let rest { list = list.with(["else": rest]) }
        return [
            "for_each": list, "device_token": "${device.token}",
            "payload": ["aps": ["alert": .text(os ?? "rest")]],
        ]
    }

    private func compile(
        _ blocks: [MappingSource], match: String = "all"
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        let place = MappingPlace(line: 3, column: 1)
        return MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyPlace: place, value: .list(blocks, place: place)),
            match: MappingMember(key: "match", keyPlace: place, value: .plain(match)), when: nil,
            defaults: defaults, hash: sha256)
    }

    private func mapper(_ blocks: [MappingSource]) throws -> Mapper {
        let compiled = compile(blocks)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        return Mapper(plan: plan)
    }

    @Test func `is counted and listed`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("watch")])
        mapper.explains = true
        var result = MappedRecord()
        for _ in 0..<2 {
            mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
            #expect(result.count == 2 && !result.isFiltered)
            #expect(result.filteredElements == 2)
            #expect(mapper.unmatchedElements.count == 1)
            #expect(
                mapper.unmatchedElements[0].hasSuffix(
                    "${devices} has elements that match no block: 1, 3"))
        }
    }

    @Test func `has an outcome if filtered records have one`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("watch")])
        mapper.reportsFiltered = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        #expect(result.count == 4)
        #expect(result.notifications[..<4].map(\.drop?.reason) == [nil, nil, .filtered, .filtered])
        #expect(result.notifications[..<4].map(\.index) == [0, 1002, 1, 3])
    }

    @Test func `is filtered with its record when no element matches`() throws {
        var mapper = try mapper([Self.block("car"), Self.block("mac")])
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        #expect(result.count == 0 && result.isFiltered && result.filteredElements == 0)
    }

    @Test func `goes to the block with 'else'`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("watch"), Self.block(nil, true)])
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        let made = result.notifications[..<result.count]
        #expect(made.map(\.tokenText) == ["aa", "cc", "bb", "dd"])
        #expect(made.map(\.index) == [0, 1002, 2001, 2003])
        #expect(result.filteredElements == 0)
        // The retry topic maps one of them again.
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, only: 2003, into: &result)
        #expect(result.notifications[..<result.count].map(\.tokenText) == ["dd"])
    }

    @Test func `needs an 'else' that makes sense`() {
        let rest = Self.block(nil, true)
        #expect(compile([Self.block("ios"), rest]).problems == [])
        #expect(
            compile([rest]).problems.map(\.message).contains {
                $0.hasPrefix("'else' is only valid after a block")
            })
        #expect(
            compile([Self.block("ios"), rest], match: "first").problems.map(\.message).contains {
                $0.hasPrefix("'else' is only valid after a block")
            })
        #expect(
            compile([Self.block("ios"), Self.block("tv", true)]).problems.map(\.message).contains(
                "'else' and 'when' are mutually exclusive"))
        #expect(
            compile([Self.block("ios"), Self.block(nil, "yes")]).problems.map(\.message).contains(
                "'else' must be true"))
    }
}
