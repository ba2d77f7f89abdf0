internal import TLS

/// The content of a connection's client certificate that the judge uses.
public struct CertificateCredential: Sendable {
    /// The values of `apns-topic` that it may push to.
    let topics: [[UInt8]]
    /// The topic of requests without an `apns-topic`; nil when there are several topics.
    let defaultTopic: [UInt8]?
    /// It is one of Apple's push certificates.
    let isForPushes: Bool
    /// It is valid for the simulator's environment.
    let isForEnvironment: Bool

    /// What a certificate permits in one of Apple's two environments.
    init(_ certificate: CertificateDescription, environment: ProviderKey.Environment) {
        topics = certificate.apnsTopics.map { [UInt8]($0.utf8) }
        defaultTopic =
            topics.count == 1 ? certificate.bundleID.map { [UInt8]($0.utf8) } ?? topics[0] : nil
        isForPushes = certificate.isForDevelopment || certificate.isForProduction
        isForEnvironment =
            environment == .development
            ? certificate.isForDevelopment : certificate.isForProduction
    }

    func allows(topic: ArraySlice<UInt8>) -> Bool { topics.contains { topic.elementsEqual($0) } }
}
