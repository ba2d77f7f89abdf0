import Delivery
import Mapping
import Testing

@Suite struct `A tombstone` {
    private let filter: MappingSource = ["@value": [.plain("null")]]

    private func made(
        _ json: String?, when: MappingSource?, reportsFiltered: Bool = false,
        explains: Bool = false
    ) throws -> (MappedRecord, [String]) {
        let compiled = MappingPlan.compile(
            notification: minimal, when: when, defaults: defaults, hash: sha256)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        var mapper = Mapper(plan: plan)
        mapper.reportsFiltered = reportsFiltered
        mapper.explains = explains
        var result = MappedRecord()
        let record = TestRecord(json.map { Array($0.utf8) })
        mapper.map(record.makeRecord(), now: 0, into: &result)
        return (result, mapper.filterExplanation)
    }

    @Test func `is dropped unless 'when' mentions the value`() throws {
        for condition in [nil, ["type": ["a"]], ["a": [["exists": false]]]] as [MappingSource?] {
            let (result, _) = try made(nil, when: condition)
            #expect(result.notifications[0].drop?.reason == .tombstone)
            #expect(!result.isSkipped)
        }
    }

    @Test func `is skipped if 'when' says so, and other records are not`() throws {
        let (result, _) = try made(nil, when: filter)
        #expect(result.isSkipped && result.count == 0)
        let (other, _) = try made(#"{"token":"aa"}"#, when: filter)
        #expect(!other.isSkipped && other.notifications[0].tokenText == "aa")
    }

    @Test func `is skipped whatever the other conditions are, which apply to the rest`() throws {
        let both = filter.with(["type": ["a"]])
        #expect(try made(nil, when: both).0.isSkipped)
        #expect(try made(#"{"token":"aa","type":"b"}"#, when: both).0.isSkipped)
        #expect(try !made(#"{"token":"aa","type":"a"}"#, when: both).0.isSkipped)
    }

    @Test func `is not a value that is the text null, nor an empty one`() throws {
        #expect(try made("null", when: filter).0.notifications[0].drop?.reason == .missingField)
        #expect(try made("", when: filter).0.notifications[0].drop?.reason == .unparsable)
    }

    @Test func `has an outcome when filtered records have one, and an explanation`() throws {
        let (result, _) = try made(nil, when: filter, reportsFiltered: true)
        #expect(result.isSkipped && result.count == 1)
        #expect(
            result.notifications[0].drop
                == Drop(
                    .filtered,
                    "connectors/orders.yaml: 'when' skips records without a value"))
        let (_, lines) = try made(nil, when: filter, explains: true)
        #expect(lines == ["the record's value is null"])
    }

    @Test(
        arguments: [
            (["@value": "null"], "'@value' must be a map, or [null]"),
            (["@value": ["null"]], "'@value' must be a map, or [null]"),
            (["@value": []], "'@value' must be a map, or [null]"),
            (["@value": [.plain("null"), 1]], "'@value' must be a map, or [null]"),
            (
                ["$or": [["@value": [.plain("null")]], ["a": [1]]]],
                "'@value': [null] is only valid in the connector's own 'when'"
            ),
        ] as [(MappingSource, String)])
    func `is named in one way only`(_ when: MappingSource, _ message: String) {
        let found = problems(minimal, when: when)
        #expect(found.map(\.message) == [message])
        #expect(found.allSatisfy { $0.remedy != nil })
    }

    @Test func `is not named in the conditions of a block or of elements`() {
        let block = minimal.with(["when": filter])
        let location = MappingLocation(line: 1, column: 1)
        let found = MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: location,
                value: .list([block], location: location)),
            when: nil, defaults: defaults, hash: sha256
        ).problems
        #expect(
            found.map(\.message) == [
                "'@value': [null] is only valid in the connector's own 'when'"
            ])
        let elements = minimal.with([
            "device_token": "${d.t}",
            "for_each": ["items": "${l}", "as": "d", "when": filter],
        ])
        #expect(
            problems(elements).map(\.message) == [
                "'when' of 'for_each' sees only the element, not '@value'"
            ])
    }
}
