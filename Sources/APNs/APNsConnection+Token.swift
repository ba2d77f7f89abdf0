internal import Delivery
internal import EventLoop
internal import TLS

/// A connection's provider token: which one it sends, and when it switches to a newer one.
extension APNsConnection {
    /// APNs rejects tokens older than an hour; this leaves a few minutes.
    private static var oldestToken: Int64 { 55 * 60 }

    /// Adopts the newest provider token and schedules the next check: after a change no earlier
    /// than 20 minutes later, otherwise when the next generation begins.
    mutating func adoptToken(_ wallClock: Int64, _ now: Instant) throws(ConnectionFailure) {
        guard case .tokens(let tokens) = dialer.credential else {
            nextTokenCheck = .distantFuture
            return
        }
        let latest: ProviderToken
        do throws(TLSError) {
            latest = try tokens.token(wallClock: wallClock)
        } catch {
            throw ConnectionFailure("cannot sign the provider token: \(error)")
        }
        // An older token is the newest when the clock was ahead and has been corrected.
        if token?.bytes != latest.bytes {
            writer.use(latest)
            previousToken = token
            token = latest
            tokenInUseSince = now
            adoption = (now, wallClock)
            nextTokenCheck = now + dialer.settings.tokenLife
        } else {
            let wait = ProviderToken.nextGeneration(after: latest.issuedAt) - wallClock
            nextTokenCheck = now + .milliseconds(max(wait, 1000))
        }
    }

    /// Does what a response requires for the token itself; its effect on the push is handled
    /// elsewhere.
    mutating func judgeToken(
        _ effect: ProviderTokenEffect, sentAt: Instant, _ now: Instant,
        _ events: inout PoolEventQueue
    ) {
        guard case .tokens(let tokens) = dialer.credential, let token else { return }
        switch effect {
        case .expired: tokens.expired(token)
        // A response to a token that is no longer in use says nothing new.
        case .changedTooOften where sentAt >= tokenInUseSince:
            if !goBack(now) { pause(now, &events) }
        // The clock may have been wrong when it was signed, and corrected since.
        case .refused where sentAt >= tokenInUseSince: nextTokenCheck = .distantPast
        case .changedTooOften, .refused, .none: break
        }
    }

    /// How long a connection pauses when APNs accepts none of its tokens.
    private static var pauseTime: Duration { .seconds(60) }

    /// APNs reports too many changes, and there is no token to revert to: nothing is sent for a
    /// while, then one request at a time until one is accepted.
    private mutating func pause(_ now: Instant, _ events: inout PoolEventQueue) {
        guard pausedUntil == nil else { return }
        pausedUntil = now + Self.pauseTime
        isRecovering = true
        report(
            ConnectionFailure(
                "APNs rejected the provider token as changed too often: pausing the connection for"
                    + " \(inSeconds(Self.pauseTime)); check that no other program signs with this"
                    + " key; processes of apns-bridge share their tokens"
            ),
            &events)
    }

    /// APNs reports too many changes on this connection: reverts to the previous token while it is
    /// valid, and adopts no newer one for the usual lifetime of a token. False when there is no
    /// valid previous token.
    private mutating func goBack(_ now: Instant) -> Bool {
        nextTokenCheck = now + dialer.settings.tokenLife
        guard let previous = previousToken else { return false }
        previousToken = nil
        let seconds = adoption.wallClock / 1000 + (now - adoption.now).wholeSeconds
        let left = previous.issuedAt + Self.oldestToken - seconds
        guard left > 0 else { return false }
        writer.use(previous)
        token = previous
        tokenInUseSince = now
        nextTokenCheck = min(nextTokenCheck, now + .seconds(left))
        return true
    }
}
