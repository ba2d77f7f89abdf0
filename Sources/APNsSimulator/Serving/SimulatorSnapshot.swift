/// A simulator's counters at one moment.
public struct SimulatorSnapshot: Equatable, Sendable {
    /// The number of responses with each status; 0 for an uncommon status.
    public var responsesByStatus: [Int: Int]
    /// The number of requests without a response because the scenario cut their connection.
    public var lostRequests: Int
    /// The number of open connections.
    public var connections: Int
    /// The total number of connections.
    public var connectionsEver: Int
    /// The number of requests that wait for a response.
    public var openStreams: Int

    static let countedStatuses = [201, 204, 400, 403, 404, 405, 410, 413, 429, 500, 503]

    /// The number of requests with a response.
    public var responses: Int { responsesByStatus.values.reduce(0, +) }

    /// The number of accepted requests.
    public var accepted: Int { responsesByStatus[200] ?? 0 }
}
