internal import HTTP2
internal import JSON

/// Requests about broadcasts: judged by tables of their own, carried out at once.
extension SimulatorDesk {
    mutating func answerBroadcast(
        _ asked: HTTP2ServerRequest, _ stream: Int32, _ http: inout HTTP2Server,
        _ moment: SimulatorMoment
    ) {
        judge.mayBroadcast = service.run.scenario.settings.broadcast ?? true
        var judgement = judge.judge(request, wallClock: moment.wallClock)
        if judgement.status == 200 {
            trust(&http)
            judgement = fortune.prohibition ?? carriedOut(moment)
        }
        judgement.isAboutBroadcasts = true
        let identifier = request.requestID.count == 36 ? request.requestID : newIdentifier()
        service.memory?.note(
            JudgedRequest(
                arrivedAt: moment.wallClock, fields: asked.fields,
                representations: asked.representations, body: asked.body,
                judgement: judgement, identifier: identifier))
        let fate = ScenarioRun.Fate(
            outcome: .answer, judgement: judgement, latency: service.run.latencyOfRefusal())
        schedule(fate, identifier, stream, &http, moment)
    }

    /// Does what a request asks for in which nothing is wrong.
    private func carriedOut(_ moment: SimulatorMoment) -> Judgement {
        let app = String(decoding: request.pathApp, as: UTF8.self)
        switch (request.kind, request.method) {
        case (.broadcast, _):
            service.channels.noteBroadcast(
                to: request.channelID, of: app, at: moment.wallClock)
            return .accepted
        case (.channelList, _): return list(of: app)
        case (_, Bytes.post):
            var judgement = Judgement(status: 201)
            judgement.channelID = service.channels.make(
                for: app, storesLatest: judge.order?.storagePolicy == 1, at: moment.wallClock)
            return judgement
        case (_, Bytes.delete):
            service.channels.remove(request.channelID, of: app)
            return Judgement(status: 204)
        default: return configuration
        }
    }

    /// The channel that was asked for, as Apple writes it.
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
        writer.name(ascii: "channels")
        writer.beginArray()
        for channel in service.channels.list(of: app) { writer.string(channel.identifier) }
        writer.endArray()
        writer.endObject()
        var judgement = Judgement.accepted
        judgement.ownBody = writer.bytes
        return judgement
    }
}
