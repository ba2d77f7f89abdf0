internal import HTTP2
internal import JSON

/// Requests about broadcasts: judged by separate tables, and carried out immediately.
extension SimulatorController {
    mutating func respondToBroadcast(
        _ stream: Int32, _ http: inout HTTP2Server, _ moment: SimulatorMoment
    ) {
        judge.mayBroadcast = service.run.scenario.settings.broadcast ?? true
        var judgement = judge.judge(request, wallClock: moment.wallClock)
        let isGood = judgement.status == 200
        if isGood {
            trust(&http)
            judgement = faults.prohibition ?? judgement
        }
        var decision = decision(aboutBroadcast: judgement, moment)
        if isGood, decision.isResponse, decision.judgement.status == 200 {
            decision.judgement = carriedOut(moment)
        }
        decision.judgement.isAboutBroadcasts = true
        let identifier =
            request.requestID.count == 36 ? [UInt8](request.requestID) : newIdentifier()
        note(
            JudgedRequest(
                arrivedAt: moment.wallClock, fields: request.asked.fields, body: request.body,
                judgement: decision.isResponse ? decision.judgement : nil, identifier: identifier))
        schedule(decision, identifier, stream, &http, moment)
    }

    /// How the scenario changes a response: a valid broadcast may get any of its responses,
    /// everything else only a latency.
    private mutating func decision(
        aboutBroadcast judgement: Judgement, _ moment: SimulatorMoment
    ) -> ScenarioRun.Decision {
        if judgement.status == 200, request.kind == .broadcast,
            let decision = service.run.decision(aboutBroadcast: request, at: moment)
        {
            return decision
        }
        return ScenarioRun.Decision(
            outcome: .response, judgement: judgement, latency: service.run.latencyOfRefusal())
    }

    /// Records a request and its response; delivers an accepted broadcast to its subscribers.
    private func note(_ judged: JudgedRequest) {
        guard request.kind == .broadcast, judged.judgement?.status == 200 else {
            service.memory?.note(judged)
            return
        }
        service.memory?.noteBroadcast(judged, to: [UInt8](request.channelID))
    }

    /// Carries out a valid request.
    private func carriedOut(_ moment: SimulatorMoment) -> Judgement {
        let app = String(decoding: request.pathApp, as: UTF8.self)
        switch (request.kind, [UInt8](request.method)) {
        case (.broadcast, _):
            service.channels.noteBroadcast(
                to: [UInt8](request.channelID), of: app, at: moment.wallClock)
            return .accepted
        case (.channelList, _): return list(of: app)
        case (_, RequestBytes.post):
            var judgement = Judgement(status: 201)
            judgement.channelID = service.channels.make(
                for: app, storesLatest: judge.order?.storagePolicy == 1, at: moment.wallClock)
            return judgement
        case (_, RequestBytes.delete):
            let channel = [UInt8](request.channelID)
            service.channels.remove(channel, of: app)
            service.memory?.close(channel)
            return Judgement(status: 204)
        default: return configuration
        }
    }

    /// The requested channel, in Apple's format.
    private var configuration: Judgement {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("message-storage-policy", judge.channel?.storesLatest == true ? 1 : 0)
        writer.member("push-type", ChannelOrder.liveActivity)
        writer.endObject()
        var judgement = Judgement.accepted
        judgement.ownBody = writer.bytes
        return judgement
    }

    private func list(of app: String) -> Judgement {
        var writer = JSONWriter()
        writer.beginObject()
        writer.array("channels", service.channels.list(of: app)) { $1.string($0.identifier) }
        writer.endObject()
        var judgement = Judgement.accepted
        judgement.ownBody = writer.bytes
        return judgement
    }
}
