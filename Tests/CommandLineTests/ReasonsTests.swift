import Foundation
import Testing

@Suite struct `The command reasons` {
    @Test func `suggests the nearest reason for an unknown one`() throws {
        let ending = try Program.run("reasons", "BadDevicetoken2")
        #expect(ending.code == 64)
        #expect(ending.errors.contains("did you mean 'BadDeviceToken'?"))
        #expect(ending.output.isEmpty)
    }

    @Test(arguments: ["BadDeviceToken", "baddevicetoken"])
    func `explains one reason`(word: String) throws {
        let ending = try Program.run("reasons", word)
        #expect(ending.code == 0)
        #expect(ending.output.hasPrefix("400 BadDeviceToken\n"))
        #expect(ending.output.contains("the device token stays"))
    }

    @Test func `explains the reasons of a status`() throws {
        let ending = try Program.run("reasons", "410")
        #expect(ending.output.contains("410 Unregistered\n"))
        #expect(ending.output.contains("410 ExpiredToken\n"))
        #expect(ending.output.contains("Scope: push; device token: unregistered"))
        #expect(!ending.output.contains("BadDeviceToken"))
    }

    @Test func `writes the whole table for programs`() throws {
        let ending = try Program.run("reasons", "--format", "json")
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let rows = try #require(parsed as? [[String: Any]])
        #expect(rows.count > 40)
        let actions = Set(rows.compactMap { $0["action"] as? String })
        #expect(
            actions == [
                "accepted", "unregistered", "suspect", "rejected", "suspend", "not_apns",
                "retry_now", "retry_once", "retry_later",
            ])
    }

    @Test func `writes every column for programs`() throws {
        let ending = try Program.run("reasons", "ExpiredProviderToken", "--format", "json")
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let row = try #require((parsed as? [[String: Any]])?.first)
        #expect(row["status"] as? Int == 403)
        #expect(row["scope"] as? String == "credential")
        #expect(row["device_token"] as? String == "none")
        #expect(row["provider_token"] as? String == "expired")
        #expect(row["our_fault"] as? Bool == false)
        #expect(row["proves_credential"] as? Bool == false)
        #expect(row["replaces_connection"] as? Bool == true)
    }

    @Test func `explains a status without a reason, and the classes of statuses`() throws {
        let status = try Program.run("reasons", "404").output
        #expect(status.contains("400-499 (no reason)\n"))
        #expect(status.contains("400-499 (any other reason, or none)\n"))
        let all = try Program.run("reasons").output
        #expect(all.contains("any other (any other reason, or none)\n"))
    }

    @Test func `writes the table for a page of documentation`() throws {
        let ending = try Program.run("reasons", "--format", "markdown")
        let lines = ending.output.split(separator: "\n")
        let first = lines.first ?? ""
        #expect(first.hasPrefix("| status | reason | what it means | what is done | scope |"))
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("|") && $0.hasSuffix("|") })
    }
}
