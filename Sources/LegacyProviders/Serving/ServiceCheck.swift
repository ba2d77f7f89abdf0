public import Configuration
internal import EventLoop
public import Kafka

/// Makes the checks of a service's start, one at a time, without starting it.
public struct ServiceCheck {
    private let settings: LegacySettings
    private let topic: TopicCheck

    /// Creates the checks of a service.
    public init(_ settings: LegacySettings) {
        self.settings = settings
        topic = TopicCheck(settings)
    }

    /// Listens on the service's address for an instant.
    ///
    /// It throws ``LegacyFailure/Kind/unavailable`` when another process listens there, which may
    /// be this very service.
    public func listen() throws(LegacyFailure) {
        let listener = Listening(settings: settings.listen, locations: settings.locations)
        var kernel = try listener.kernel(capacity: 4)
        let address = try listener.address(&kernel)
        do throws(KernelError) {
            kernel.close(try kernel.listen(on: address, token: Listening.firstToken))
        } catch {
            throw listener.refused(error)
        }
    }

    /// Asks Kafka for its ID, and for the service's topic, whatever its state.
    public func describe(timeoutMilliseconds: Int) throws(LegacyFailure) -> ClusterDescription {
        try topic.describe(timeoutMilliseconds: timeoutMilliseconds)
    }

    /// What is wrong with the service's topic; nil when it can be used.
    public func problem(in description: ClusterDescription) -> Diagnostic? {
        topic.problem(in: description)
    }
}
