internal import TLS

/// The client certificate of a connection as the judge sees it: the topics, and for what it is.
public struct CertificateCredential: Sendable {
    /// The values of `apns-topic` that it may push to.
    let topics: [[UInt8]]
    /// What stands for an `apns-topic` that is not there; nil when there are several topics.
    let defaultTopic: [UInt8]?
    /// It is one of Apple's push certificates.
    let isForPushes: Bool
    /// It is for the environment that the simulator is.
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
