import Configuration
import Delivery
import Kafka
import Testing

@testable import Bridge

@Suite struct `The check of a connector's group at start` {
    private let findings = KafkaCheck.Findings(clusterID: "c", warnings: [], unchecked: nil)

    /// What becomes of a connector whose check has succeeded so far.
    private func check(
        _ ask: @escaping KafkaCheck.GroupQuestion
    ) throws -> Result<KafkaCheck.Findings, StartFailure> {
        let connector = try SupervisorStage.connector("orders")
        return try #require(
            KafkaCheck.checkGroups([connector], [.success(findings)], asking: ask).first)
    }

    private func expectMissing(_ ask: @escaping KafkaCheck.GroupQuestion) throws {
        guard case .failure(let failure) = try check(ask) else {
            Issue.record("the missing right was not noticed")
            return
        }
        let group = try SupervisorStage.connector("orders").source.group
        #expect(failure.kind == .unavailable && failure.mayPass)
        #expect(
            failure.diagnostics.map(\.message)
                == ["Kafka does not allow this user READ on the group '\(group)'"])
        #expect(
            failure.diagnostics.map(\.remedy)
                == ["grant it READ on the group: kafka-acls.sh --add"])
    }

    @Test func `fails without READ, and is worth another try`() throws {
        try expectMissing { _ in .denied }
    }

    @Test func `fails without DESCRIBE, which READ includes`() throws {
        try expectMissing { _ throws(KafkaFailure) in
            throw KafkaFailure(code: "GROUP_AUTHORIZATION_FAILED", detail: "test")
        }
    }

    @Test(arguments: [GroupAccess.granted, .unknown, nil])
    func `passes if READ is allowed, or nobody knows`(access: GroupAccess?) throws {
        #expect(throws: Never.self) { try check { _ in access }.get() }
    }

    @Test func `passes if Kafka does not respond to this question`() throws {
        let result = try check { _ throws(KafkaFailure) in
            throw KafkaFailure(code: "_TIMED_OUT", detail: "test")
        }
        #expect(throws: Never.self) { try result.get() }
    }

    @Test func `concerns no connector that has failed already, and each one alone`() throws {
        let names = ["orders", "pay", "news"]
        let connectors = try names.map { try SupervisorStage.connector($0) }
        let away = SupervisorStage.failure(.unavailable, of: connectors[0])
        let results = KafkaCheck.checkGroups(
            connectors, [.failure(away), .success(findings), .success(findings)]
        ) { connector in
            if connector.name == "orders" { Issue.record("its Kafka was asked again") }
            return connector.name == "pay" ? .denied : .granted
        }
        let failures = results.map { result in
            if case .failure(let failure) = result { failure } else { nil as StartFailure? }
        }
        #expect(failures[0] == away)
        #expect(failures[1]?.diagnostics.first?.message.contains("READ on the group") == true)
        #expect(failures[2] == nil)
    }
}
