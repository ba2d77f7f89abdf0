/// The `guard:` block: when too many device tokens are unregistered or suspect at once.
public struct GuardSettings: Equatable, Sendable {
    /// The share of such responses, 0 to 1, above which sending to an app is suspended; 1 disables
    /// the guard.
    public var share: Double
    /// The minimum number of responses; at least 1.
    public var minimum: Int
    /// How long a response is counted.
    public var window: Duration

    /// Creates the settings; omitted ones have the defaults of the connector file.
    public init(
        share: Double = 0.2, minimum: Int = 200, window: Duration = .seconds(60)
    ) {
        self.share = share
        self.minimum = minimum
        self.window = window
    }
}
