/// What APNs knew about the topics of a team when a connection's first push was accepted: it is
/// tied to the connection. An app that is set up later needs a new connection.
struct TiedTopics {
    /// The reasons with which APNs refuses a topic that it does not know for the team.
    private static let reasons = ["TopicDisallowed", "TopicMismatch"]

    /// The responses to the topics that were refused then.
    private let refusals: [ScriptedResponse]
    /// The run of a scenario in which that was.
    private let generation: Int

    /// Ties a connection to what a scenario says now.
    init(_ run: ScenarioRun, at time: Int) {
        generation = run.generation
        refusals = run.scenario.responses.filter { response in
            response.topic != nil && response.outcome == .response
                && response.schedule.contains(time)
                && Self.reasons.contains(response.reason ?? "")
        }
    }

    /// The response to a push for a topic that was refused then; nil for any other.
    func refusal(of request: borrowing PushRequest, in run: ScenarioRun) -> ScriptedResponse? {
        guard !refusals.isEmpty, generation == run.generation else { return nil }
        for response in refusals where request.isFor(response.topic) { return response }
        return nil
    }
}
