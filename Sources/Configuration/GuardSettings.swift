/// The `guard:` block: when too many device tokens are unregistered or suspect at once.
public struct GuardSettings: Equatable, Sendable {
    /// The share of such responses, 0 to 1, above which sending to an app is suspended; 1
    /// means never.
    public var share: Double
    /// How many responses there must be at least; at least 1.
    public var minimum: Int
    /// How long a response counts.
    public var window: Duration

    /// Describes a guard; what is left out has the default of the connector file.
    public init(
        share: Double = 0.2, minimum: Int = 200, window: Duration = .seconds(60)
    ) {
        self.share = share
        self.minimum = minimum
        self.window = window
    }
}
