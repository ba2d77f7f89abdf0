internal import Delivery
internal import EventLoop
internal import TLS

/// A connection's provider token: which one it sends, and when it switches to a newer one.
extension APNsConnection {
    /// Adopts the newest provider token.
    mutating func adoptToken(_ wallClock: Int64, _ now: Instant) throws(ConnectionFailure) {
        guard case .tokens(let tokens) = dialer.credential else {
            tokenUse.neverCheck()
            return
        }
        let latest: ProviderToken
        do throws(TLSError) {
            latest = try tokens.token(wallClock: wallClock)
        } catch {
            throw ConnectionFailure("cannot sign the provider token: \(error)")
        }
        let life = dialer.settings.tokenLife
        if tokenUse.adopt(latest, life: life, at: now, wallClock: wallClock) { writer.use(latest) }
    }

    /// Does what a response requires for the token itself; its effect on the push is handled
    /// elsewhere.
    mutating func judgeToken(
        _ effect: ProviderTokenEffect, sentAt: Instant, _ now: Instant,
        _ events: inout PoolEventQueue
    ) {
        guard case .tokens(let tokens) = dialer.credential, let token = tokenUse.current else {
            return
        }
        switch effect {
        case .expired: tokens.expired(token)
        // A response to a token that is no longer in use says nothing new.
        case .changedTooOften where sentAt >= tokenUse.since:
            if !goBack(now) { pause(now, &events) }
        // The clock may have been wrong when it was signed, and corrected since.
        case .refused where sentAt >= tokenUse.since: tokenUse.checkAtOnce()
        case .changedTooOften, .refused, .none: break
        }
    }

    /// How long a connection pauses when APNs accepts none of its tokens.
    private static var pauseTime: Duration { .seconds(60) }

    /// APNs reports too many changes, and there is no token to revert to: nothing is sent for a
    /// while, then one request at a time until one is accepted.
    private mutating func pause(_ now: Instant, _ events: inout PoolEventQueue) {
        guard tokenUse.pausedUntil == nil else { return }
        tokenUse.pause(until: now + Self.pauseTime)
        report(
            ConnectionFailure(
                "APNs rejected the provider token as changed too often: pausing the connection for"
                    + " \(inSeconds(Self.pauseTime)); check that no other program signs with this"
                    + " key; processes of apns-bridge share their tokens"
            ),
            &events)
    }

    /// APNs reports too many changes on this connection: reverts to the previous token. False when
    /// there is no valid one.
    private mutating func goBack(_ now: Instant) -> Bool {
        guard let previous = tokenUse.revert(life: dialer.settings.tokenLife, at: now) else {
            return false
        }
        writer.use(previous)
        return true
    }
}
