internal import APNs
internal import Engine

extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// A record that is to be alone asks the process, and others wait for it.
    mutating func shareProcess() {
        let wants = engine.wantsToBeAlone
        let standing = soleRecords.standing(of: soleNumber, wants: wants, at: engine.now)
        engine.setStanding(standing)
        guard standing == .othersTurn, engine.isQuiet() else { return }
        soleRecords.noteQuiet(soleNumber)
    }

    /// The commit is only worth it when the push could be sent.
    mutating func askForCommit(before id: PushID) {
        let (app, bytes) = engine.demand(of: id)
        let canSend =
            engine.isProbe(id)
            ? pools.canSendProbe(app: app.index, bodyBytes: bytes, engine.now)
            : pools.canSend(app: app.index, bodyBytes: bytes, engine.now)
        if canSend {
            engine.askForCommit(before: id)
        } else {
            engine.foundNoRoom(for: id)
        }
    }
}
