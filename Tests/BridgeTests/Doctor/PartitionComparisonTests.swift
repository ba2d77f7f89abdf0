import BridgeSamples
import Configuration
import Kafka
import Testing

@testable import Bridge

@Suite struct `The partitions of a connector's topics` {
    private func comparison(
        sources: Int = 4, outcomes: Int? = 4, retry: Int? = 4, workers: Int = 1
    ) throws -> PartitionComparison {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.workers = workers
        var topics: [String: ClusterDescription.Topic] = ["shop.orders": .partitions(sources)]
        if let outcomes { topics["apns.outcomes"] = .partitions(outcomes) }
        if let retry {
            connector.results.retry = "apns.retry"
            topics["apns.retry"] = .partitions(retry)
        }
        return PartitionComparison(
            connector, ClusterDescription(clusterID: nil, topics: topics))
    }

    @Test func `fit if results have as many as each source`() throws {
        let fit = try comparison(workers: 4)
        #expect(fit.findings == [])
        #expect(
            fit.summary == "outcomes and retries have as many as each source; 4 workers for 4")
    }

    @Test func `do not fit if outcomes cannot follow their records`() throws {
        let found = try comparison(sources: 12).findings
        #expect(
            found.map(\.message) == [
                "the topic 'apns.outcomes' has 4 partitions, and 'shop.orders' has 12: outcomes go"
                    + " to the partition of their key instead of that of their record",
                "the topic 'apns.retry' has 4 partitions, and 'shop.orders' has 12: fewer workers"
                    + " share the retries than share the events",
            ])
        #expect(found.first?.remedy?.hasSuffix("--topic apns.outcomes --partitions 12") == true)
    }

    @Test func `do not suffice for more workers`() throws {
        #expect(
            try comparison(workers: 5).findings.map(\.message) == [
                "5 workers share the 4 partitions of the sources: 1 of them gets none"
            ])
    }

    @Test func `are not called fit while the topic of outcomes is missing`() throws {
        let comparison = try comparison(outcomes: nil)
        #expect(comparison.unknown == ["apns.outcomes"])
        #expect(comparison.findings == [] && comparison.summary == nil)
    }

    @Test func `are compared as far as they are known`() throws {
        let comparison = try comparison(sources: 12, outcomes: nil)
        #expect(comparison.unknown == ["apns.outcomes"])
        #expect(comparison.findings.count == 1)
        #expect(comparison.findings.first?.remedy?.contains("--topic apns.retry ") == true)
    }

    @Test func `say nothing where topics are missing`() throws {
        let connector = try Samples.connector(plan: Samples.canonicalPlan())
        let comparison = PartitionComparison(
            connector, ClusterDescription(clusterID: nil, topics: [:]))
        #expect(comparison.unknown == ["shop.orders", "apns.outcomes"])
        #expect(comparison.findings == [] && comparison.summary == nil)
    }
}
