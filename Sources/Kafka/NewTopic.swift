/// A topic to create.
public struct NewTopic: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// The number of its partitions.
    public var partitions: Int
    /// The replication factor; nil for the broker's default.
    public var replicas: Int?
    /// Its settings, such as `cleanup.policy`; all others have the broker's defaults.
    public var settings: [String: String]

    /// Describes a topic.
    public init(
        _ name: String, partitions: Int, replicas: Int? = nil, settings: [String: String] = [:]
    ) {
        self.name = name
        self.partitions = partitions
        self.replicas = replicas
        self.settings = settings
    }
}
