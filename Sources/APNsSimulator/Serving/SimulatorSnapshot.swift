public import HTTP2

/// What a simulator had counted at one moment.
public struct SimulatorSnapshot: Equatable, Sendable {
    /// How many requests got responses with each status; 0 stands for an uncommon status.
    public var answersByStatus: [Int: Int]
    /// How many requests got no response because their connection was cut on order.
    public var lostRequests: Int
    /// How many connections are open.
    public var connections: Int
    /// How many connections there have been.
    public var connectionsEver: Int
    /// How many requests wait for their answer.
    public var openStreams: Int

    /// How many fields of requests were compressed in each way.
    public var fieldsByRepresentation: [HeaderRepresentation.Kind: Int] = [:]

    static let countedStatuses = [201, 204, 400, 403, 404, 405, 410, 413, 429, 500, 503]

    /// How many requests got responses.
    public var answers: Int { answersByStatus.values.reduce(0, +) }

    /// How many requests were accepted.
    public var accepted: Int { answersByStatus[200] ?? 0 }
}
