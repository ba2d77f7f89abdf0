internal import EventLoop
internal import TLS

/// The provider token of a connection: which one it carries, and when it takes a newer one.
extension APNsConnection {
    /// Apple takes no token that is older than an hour; this leaves it some minutes.
    private static var oldestToken: Int64 { 55 * 60 }

    /// Takes the newest provider token, and says when to look again: after a newer one not before
    /// its 20 minutes are over, else when the next generation begins.
    mutating func adoptToken(_ wallClock: Int64, _ now: UInt64) throws(ConnectionFailure) {
        guard case .tokens(let tokens) = dialer.credential else {
            nextTokenCheck = .max
            return
        }
        let latest: ProviderToken
        do throws(TLSError) {
            latest = try tokens.token(wallClock: wallClock)
        } catch {
            throw ConnectionFailure("cannot sign the provider token: \(error)")
        }
        // An older one is the newest when the clock was ahead and was set right.
        if token?.bytes != latest.bytes {
            writer.use(latest)
            previousToken = token
            token = latest
            tokenInUseSince = now
            adoption = (now, wallClock)
            nextTokenCheck = now + dialer.settings.tokenLife
        } else {
            let wait = ProviderToken.nextGeneration(after: latest.issuedAt) - wallClock
            nextTokenCheck = now + UInt64(max(wait, 1000)) * 1_000_000
        }
    }

    /// Does what a response asks of the token itself; what it means for the push is not said here.
    mutating func judgeToken(
        _ effect: ProviderTokenEffect, sentAt: UInt64, _ now: UInt64, _ events: inout EventQueue
    ) {
        guard case .tokens(let tokens) = dialer.credential, let token else { return }
        switch effect {
        case .expired: tokens.expired(token)
        // A response to a token that is not in use any more says nothing new.
        case .changedTooOften where sentAt >= tokenInUseSince:
            if !goBack(now) { rest(now, &events) }
        // The clock may have been wrong when it was signed, and right since.
        case .refused where sentAt >= tokenInUseSince: nextTokenCheck = 0
        case .changedTooOften, .refused, .none: break
        }
    }

    /// So long a connection rests of which Apple takes no token.
    private static var restTime: UInt64 { 60_000_000_000 }

    /// Apple counts too many changes, and there is no token to go back to: nothing is sent for a
    /// while, then one request at a time until one is accepted.
    private mutating func rest(_ now: UInt64, _ events: inout EventQueue) {
        guard restEnds == nil else { return }
        restEnds = now + Self.restTime
        isTryingAgain = true
        report(
            ConnectionFailure(
                "APNs rejected the provider token as changed too often: pausing the connection for"
                    + " \(inSeconds(Self.restTime)); check that no other process signs with this"
                    + " key"
            ),
            &events)
    }

    /// Apple counts too many changes on this connection: the token before continues as long as it
    /// may, and no newer one is taken for as long as a token usually lives. False when there is
    /// none that may.
    private mutating func goBack(_ now: UInt64) -> Bool {
        nextTokenCheck = now + dialer.settings.tokenLife
        guard let previous = previousToken else { return false }
        previousToken = nil
        let seconds = adoption.wallClock / 1000 + Int64((now - adoption.now) / 1_000_000_000)
        let left = previous.issuedAt + Self.oldestToken - seconds
        guard left > 0 else { return false }
        writer.use(previous)
        token = previous
        tokenInUseSince = now
        nextTokenCheck = min(nextTokenCheck, now + UInt64(left) * 1_000_000_000)
        return true
    }
}
