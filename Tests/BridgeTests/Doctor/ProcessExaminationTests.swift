import BridgeSamples
import Configuration
import EventLoop
import Testing

@testable import Bridge

@Suite struct `The limits of the process` {
    private func findings(openFiles: Int?, memory: Int?) throws -> [String: DoctorFinding] {
        var connector = try Samples.connector(plan: Samples.canonicalPlan())
        connector.workers = 4
        let found = Doctor.examineProcess(
            of: [connector], limits: ProcessLimits(openFiles: openFiles, memory: memory))
        return Dictionary(uniqueKeysWithValues: found.map { ($0.check, $0) })
    }

    @Test func `fail when there are too few files for the connections`() throws {
        let finding = try #require(try findings(openFiles: 256, memory: nil)["open files"])
        #expect(finding.result == .failed)
        #expect(finding.detail.hasPrefix("the limit is 256; about "))
        #expect(finding.action?.contains("ulimit -n ") == true)
    }

    @Test func `are a warning when the settings allow more memory than there is`() throws {
        let finding = try #require(try findings(openFiles: nil, memory: 128 << 20)["memory"])
        #expect(finding.result == .warning)
        #expect(finding.detail.hasPrefix("the limit is 128 MiB; by its settings"))
        #expect(finding.action?.contains("delivery.max_in_flight_bytes") == true)
    }

    @Test func `pass when there is enough of both`() throws {
        let found = try findings(openFiles: 20_000, memory: 8 << 30)
        #expect(found["open files"]?.result == .passed)
        #expect(found["memory"]?.result == .passed)
    }

    @Test func `say that the clock is not checked, and why`() throws {
        let finding = try #require(try findings(openFiles: nil, memory: nil)["clock"])
        #expect(finding.result == .notChecked)
        #expect(finding.detail.contains("no push was sent"))
    }
}
