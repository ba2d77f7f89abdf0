import Delivery
import Mapping
import Testing

@Suite struct `The explanation of a filtered record` {
    private func lines(
        _ event: String, when: MappingSource?, blocks: MappingSource? = nil
    ) throws -> [String] {
        let notifications = blocks.map {
            MappingMember(
                key: "notifications", keyLocation: MappingLocation(line: 1, column: 1), value: $0)
        }
        let compiled = MappingPlan.compile(
            notification: blocks == nil ? minimal : nil, notifications: notifications, when: when,
            defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var result = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 0, key: Array("k".utf8), value: Array(event.utf8))
        mapper.map(record, now: 0, into: &result)
        #expect(result.isSkipped)
        return mapper.filterExplanation
    }

    @Test func `shows each condition that does not hold, what there is and what is expected`()
        throws
    {
        let when: MappingSource = [
            "type": ["order.shipped", "order.delivered"], "total": [.plain("5")],
            "customer": ["tier": ["gold"], "country": ["de"]],
        ]
        let event = #"{"type":"order.created","total":5,"customer":{"country":"fr"}}"#
        #expect(
            try lines(event, when: when) == [
                "connectors/orders.yaml:6:3: type is \"order.created\", but must match "
                    + "[\"order.shipped\", \"order.delivered\"]",
                "connectors/orders.yaml:6:3: customer.tier is absent, but must match [\"gold\"]",
                "connectors/orders.yaml:6:3: customer.country is \"fr\", but must match [\"de\"]",
            ])
    }

    @Test func `is short about metadata`() throws {
        #expect(
            try lines("{}", when: ["@key": [["prefix": "x"]]]) == [
                #"connectors/orders.yaml:6:3: @key must match [{prefix: "x"}]"#
            ])
    }

    @Test func `shows every block's condition if none of them matches`() throws {
        let blocks: MappingSource = [
            minimal.with(["when": ["type": ["a"]]]), minimal.with(["when": ["type": ["b"]]]),
        ]
        #expect(
            try lines(#"{"type":"c"}"#, when: nil, blocks: blocks) == [
                #"connectors/orders.yaml:6:3: type is "c", but must match ["a"]"#,
                #"connectors/orders.yaml:6:3: type is "c", but must match ["b"]"#,
            ])
    }

    @Test func `shows that conditions hold in different elements of an array`() throws {
        #expect(
            try lines(
                #"{"items":[{"a":1,"b":1},{"a":2,"b":2}]}"#,
                when: ["items": ["a": [.plain("1")], "b": [.plain("2")]]])
                == ["each condition matches, but not all of them in the same array element"])
    }
}
