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
        _ blocks: [MappingSource], match: String = "all", _ defaults: MappingDefaults = defaults
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        let location = MappingLocation(line: 3, column: 1)
        return MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: location,
                value: .list(blocks, location: location)),
            match: MappingMember(key: "match", keyLocation: location, value: .plain(match)),
            when: nil,
            defaults: defaults, hash: sha256)
    }

    private func mapper(
        _ blocks: [MappingSource], match: String = "all", _ defaults: MappingDefaults = defaults
    ) throws -> Mapper {
        let compiled = compile(blocks, match: match, defaults)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        return Mapper(plan: plan)
    }

    @Test func `is counted and listed`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("watch")])
        mapper.explains = true
        var result = MappedRecord()
        for _ in 0..<2 {
            mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
            #expect(result.count == 2 && !result.isSkipped)
            #expect(result.skippedElements == 2)
            #expect(mapper.unmatchedElements.count == 1)
            #expect(
                mapper.unmatchedElements[0].hasSuffix(
                    "${devices} has 2 elements that match no block: [1], [3]"))
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

    @Test func `keeps its labels in its outcome`() throws {
        var labelled = defaults
        labelled.labels = ["os": "${device.os}"]
        var mapper = try mapper([Self.block("ios"), Self.block("tv")], labelled)
        mapper.reportsFiltered = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        #expect(
            result.notifications[..<4].map { String(decoding: $0.labels, as: UTF8.self) }
                == ["ios", "tv", "web", "watch"].map { #"{"os":"\#($0)"}"# })
    }

    @Test func `is skipped with its record when no element matches`() throws {
        var mapper = try mapper([Self.block("car"), Self.block("mac")])
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        #expect(result.count == 0 && result.isSkipped && result.skippedElements == 0)
    }

    @Test func `goes to the block with 'else'`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("watch"), Self.block(nil, true)])
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        let made = result.notifications[..<result.count]
        #expect(made.map(\.tokenText) == ["aa", "cc", "bb", "dd"])
        #expect(made.map(\.index) == [0, 1002, 2001, 2003])
        #expect(result.skippedElements == 0)
        // The retry topic maps one of them again.
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, only: 2003, into: &result)
        #expect(result.notifications[..<result.count].map(\.tokenText) == ["dd"])
    }

    @Test(arguments: [nil, true] as [MappingSource?])
    func `goes to the first block that matches it, with match first`(rest: MappingSource?) throws {
        let blocks = [
            Self.block("ios"), Self.block("ios"), Self.block("watch"), Self.block(nil, rest),
        ]
        #expect(compile(blocks, match: "first").problems == [])
        var mapper = try mapper(blocks, match: "first")
        var result = MappedRecord()
        for _ in 0..<2 {
            mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
            let made = result.notifications[..<result.count]
            #expect(made.map(\.tokenText) == ["aa", "cc", "bb", "dd"])
            #expect(made.map(\.index) == [0, 2002, 3001, 3003])
            #expect(made.map(\.body).first == #"{"aps":{"alert":"ios"}}"#)
            #expect(result.skippedElements == 0)
        }
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, only: 2002, into: &result)
        #expect(result.notifications[..<result.count].map(\.tokenText) == ["cc"])
    }

    @Test func `is counted, and no reason for another push, with match first`() throws {
        var mapper = try mapper([Self.block("ios"), Self.block("tv"), minimal], match: "first")
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        #expect(result.notifications[..<result.count].map(\.tokenText) == ["aa", "dd"])
        #expect(result.skippedElements == 2)
        #expect(mapper.unmatchedElements.first?.hasSuffix("match no block: [1], [2]") == true)
        mapper.map(
            TestRecord(json: #"{"token":"ff","devices":[]}"#).makeRecord(), now: 0, into: &result)
        #expect(result.notifications[..<result.count].map(\.drop?.reason) == [.noDevices])
    }

    @Test func `counts once for the limit, with match first`() throws {
        let list = (1000..<1900).map {
            #"{"token":"\#($0)","os":"\#($0.isMultiple(of: 2) ? "a" : "b")"}"#
        }
        var mapper = try mapper([Self.block("a"), Self.block("b")], match: "first")
        var result = MappedRecord()
        let json = #"{"devices":[\#(list.joined(separator: ","))]}"#
        mapper.map(TestRecord(json: json).makeRecord(), now: 0, into: &result)
        #expect(result.count == 900)
        #expect(result.notifications[..<900].allSatisfy { $0.drop == nil })
    }

    @Test(arguments: [
        ("${devices.token}", "devices is an array: write device for each of its elements"),
        ("${dvice.token}", "did you mean device.token?"),
    ])
    func `is not looked for through its array`(template: String, line: String) throws {
        let source: MappingSource = [
            "for_each": ["items": "${devices}", "as": "device"],
            "device_token": "${device.token}",
            "payload": ["aps": ["alert": .text(template)]],
        ]
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: Self.event).makeRecord(), now: 0, into: &result)
        let detail = try #require(result.notifications[0].drop?.detail)
        let lines = mapper.explanations[detail] ?? []
        #expect(lines.contains { $0.hasPrefix(line) }, "\(lines)")
        #expect(!lines.contains { $0.contains("[0]") })
    }

    @Test func `needs an 'else' that makes sense`() {
        let rest = Self.block(nil, true)
        #expect(compile([Self.block("ios"), rest]).problems == [])
        #expect(
            compile([rest]).problems.map(\.message).contains {
                $0.hasPrefix("'else' is only valid after a block")
            })
        #expect(compile([Self.block("ios"), rest], match: "first").problems == [])
        #expect(
            compile([Self.block("ios"), Self.block("tv", true)]).problems.map(\.message).contains(
                "'else' and 'when' are mutually exclusive"))
        #expect(
            compile([Self.block("ios"), Self.block(nil, "yes")]).problems.map(\.message).contains(
                "'else' must be true"))
    }
}
