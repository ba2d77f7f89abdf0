import Foundation
import Testing

@testable import APNsSimulator

@Suite struct `Every possible fault of APNs` {
    /// Apple's reasons, as its documentation lists them for pushes, broadcasts and channels.
    private static let reasons = [
        "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority",
        "BadTopic", "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout",
        "InvalidPushType", "MissingDeviceToken", "MissingTopic", "PayloadEmpty",
        "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment", "ExpiredProviderToken",
        "Forbidden", "InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken",
        "BadEnvironmentKeyIdInToken", "BadPath", "MethodNotAllowed", "ExpiredToken",
        "Unregistered", "PayloadTooLarge", "TooManyProviderTokenUpdates", "TooManyRequests",
        "InternalServerError", "ServiceUnavailable", "Shutdown", "MissingChannelId",
        "BadChannelId", "ChannelNotRegistered", "BadRequestParams", "BadRequestPayload",
        "MissingPushType", "FeatureNotEnabled", "CannotCreateChannelConfig", "TopicMismatch",
    ]

    @Test(arguments: reasons)
    func `is a response of the judge or of a shipped scenario`(reason: String) throws {
        let judged = (Judge.rules + Judge.broadcastRules + Judge.channelRules).map(\.reason)
        var scripted = Scenario.builtIn.responses.compactMap(\.reason)
        for name in ScenarioLibrary.names {
            let scenario = try Scenario.find(name)
            scripted += scenario.responses.compactMap(\.reason)
        }
        #expect(judged.contains(reason) || scripted.contains(reason))
    }

    @Test func `has a test if it is a scenario`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        var sources = ""
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            sources += try String(contentsOf: folder.appending(path: file), encoding: .utf8)
        }
        for name in ScenarioLibrary.names {
            #expect(sources.contains("\"\(name)\""), "no test performs \(name)")
        }
    }
}
