/// What APNs knew about the topics of a team when a connection's first push was accepted: it is
/// tied to the connection. An app that is set up later needs a new connection.
struct TiedTopics {
    /// The reasons with which APNs refuses a topic that it does not know for the team.
    private static let reasons = ["TopicDisallowed", "TopicMismatch"]

    /// The responses to the topics that were refused then.
    private let refusals: [ScriptedAnswer]
    /// The run of a scenario in which that was.
    private let generation: Int

    /// Ties a connection to what a scenario says now.
    init(_ run: ScenarioRun, at time: Int) {
        generation = run.generation
        refusals = run.scenario.answers.filter { answer in
            answer.topic != nil && answer.outcome == .answer && answer.schedule.contains(time)
                && Self.reasons.contains(answer.reason ?? "")
        }
    }

    /// The response to a push for a topic that was refused then; nil for any other.
    func refusal(of request: borrowing PushRequest, in run: ScenarioRun) -> ScriptedAnswer? {
        guard !refusals.isEmpty, generation == run.generation else { return nil }
        for answer in refusals where request.isFor(answer.topic) { return answer }
        return nil
    }
}
