import BridgeSamples
import Contracts
import Delivery
import Testing

@testable import Configuration
@testable import Engine

@Suite struct `A record that a release has published` {
    @Test(arguments: ContractScenario.allCases)
    func `is written by this program, with nothing changed or left out`(
        scenario: ContractScenario
    ) throws {
        let written = PublishedRecord(try scenario.written())
        let folder = Contract.having("records")
        var isPublished = false
        for contract in folder
        where try contract.names(in: "records").contains("\(scenario.rawValue).json") {
            isPublished = true
            let published = try PublishedRecord(scenario.rawValue, of: contract)
            for difference in published.differences(from: written) {
                Issue.record(
                    "\(contract.broken("\(difference), in records/\(scenario.rawValue).json"))")
            }
        }
        let missing = "Tests/Contracts/VERSION/records/\(scenario.rawValue).json"
        #expect(isPublished, "add \(missing) for the next release:\n\(written.json)")
    }

    @Test(arguments: Contract.having("records"))
    func `has a scenario that shows how it is written`(contract: Contract) throws {
        let scenarios = Set(ContractScenario.allCases.map { $0.rawValue + ".json" })
        let orphans = try contract.names(in: "records").filter { !scenarios.contains($0) }
        #expect(orphans == [], "\(contract.broken("nothing writes \(orphans)"))")
    }

    /// The records of a kind, with the release that has published them.
    private func records(
        _ contract: Contract, _ kind: String
    ) throws -> [(name: String, record: PublishedRecord)] {
        let names = try contract.names(in: "records").map { String($0.dropLast(".json".count)) }
            .filter { $0.hasPrefix(kind) }
        return try names.map { ($0, try PublishedRecord($0, of: contract)) }
    }

    @Test(arguments: Contract.having("records"))
    func `of the retry topic is sent with its apns-id, and reported for its event`(
        contract: Contract
    ) throws {
        for (name, retry) in try records(contract, "retry") {
            let harness = try EngineHarness {
                $0.results.retry = retry.topic
                $0.results.seal = name.contains("seal") ? ContractScenario.seal : nil
            }
            harness.takeBack(retry.record, offset: 70, of: harness.assignRetry())
            harness.pass(milliseconds: 10_000)
            try expectSent(retry, by: harness, "apns-bridge-retry-", contract.broken(name))
        }
    }

    @Test(arguments: Contract.having("records"))
    func `of the replay topic is sent with its apns-id, and reported for its event`(
        contract: Contract
    ) throws {
        for (name, replay) in try records(contract, "replay") {
            let harness = try EngineHarness {
                $0.replayTopic = replay.topic
                $0.results.seal = name.contains("seal") ? ContractScenario.seal : nil
            }
            let topicPartition = TopicPartition(topic: replay.topic, partition: 0)
            harness.engine.assigned([
                AssignedPartition(
                    id: AssignmentID(0), topicPartition: topicPartition, committed: nil,
                    metadata: "")
            ])
            let record = replay.record
            harness.engine.take(
                Record.owning(
                    assignment: AssignmentID(0), topicPartition: topicPartition, offset: 40,
                    timestamp: EngineHarness.start, key: record.key, value: record.value,
                    headers: record.headers))
            try expectSent(replay, by: harness, "apns-bridge-retry-", contract.broken(name))
        }
    }

    /// Sends the only push, and compares what is said of it with the headers of its record.
    private func expectSent(
        _ record: PublishedRecord, by harness: EngineHarness, _ prefix: String, _ message: String
    ) throws {
        let push = try #require(harness.send(), "\(message) is not sent")
        #expect(harness.apnsID(push).description == record.header(prefix + "apns-id"), "\(message)")
        harness.respond(push, 200)
        let outcome = try #require(harness.settle().outcomes.first).value
        let origin = ["topic", "partition", "offset"].map { record.header(prefix + $0) ?? "" }
        let source =
            #""source":{"topic":"\#(origin[0])","partition":\#(origin[1]),"#
            + #""offset":\#(origin[2])"#
        #expect(outcome.contains(source), "\(message)")
        let before = record.header(prefix + "attempts").flatMap { Int($0) } ?? 0
        #expect(outcome.contains(#""attempts":\#(before + 1),"#), "\(message)")
        let replays = record.header("apns-bridge-replays") ?? "0"
        #expect(outcome.contains(#""replays":\#(replays),"#), "\(message)")
    }

    @Test(arguments: Contract.having("records"))
    func `of the dead-letter topic can be sent again`(contract: Contract) throws {
        for (name, letter) in try records(contract, "dead-letter") {
            let message = contract.broken("\(name) is not read as a dead letter")
            let stored = try #require(
                StoredDeadLetter(headers: letter.record.headers), "\(message)")
            #expect(stored.reason == letter.header("apns-bridge-reason"), "\(message)")
            #expect(stored.connector == letter.header("apns-bridge-connector"), "\(message)")
            #expect(
                "\(stored.origin.offset)" == letter.header("apns-bridge-offset"), "\(message)")
            let isWhole = letter.value != nil
            #expect(stored.isWithoutValue || stored.hasValueElsewhere || isWhole, "\(message)")
        }
    }

    @Test(arguments: Contract.having("records"))
    func `is accepted by its seal`(contract: Contract) throws {
        let kinds: [(String, SealKeys.Kind)] = [
            ("retry-sealed", .retry), ("replay-sealed", .replay),
            ("dead-letter-sealed", .deadLetter), ("unregistered-sealed", .unregistered),
        ]
        for (name, kind) in kinds {
            for (_, sealed) in try records(contract, name) {
                let record = sealed.record
                let fault = ContractScenario.seal.fault(
                    kind, key: record.key, value: record.value, headers: record.headers,
                    storedAt: nil)
                #expect(fault == nil, "\(contract.broken("the seal of \(name) is refused"))")
            }
        }
    }

    @Test(.enabled(if: Python.hasValidator, "no python3-jsonschema"))
    func `passes the schema of its kind`() throws {
        for contract in Contract.having("records") {
            for kind in ["outcome", "unregistered"] {
                let schema = try #require(ResultSchemas.text(named: kind))
                let values = try records(contract, kind).filter { !$0.name.contains("structured") }
                    .compactMap(\.record.value)
                #expect(!values.isEmpty)
                let faults = try Python.validate(values, schema: schema)
                #expect(faults == "", "\(contract.broken("an \(kind) fails its schema"))")
            }
        }
    }
}
