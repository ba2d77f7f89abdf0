internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka

/// The life of the thread that fetches the tokens of a login.
struct TokenLoop: ~Copyable {
    private let mailbox: Mailbox<LoginSource.Message>
    private var request: TokenRequest
    private var kernel: LinuxKernel
    private var pace = TokenPace()
    private var notices = LoginNotices()
    private var current: FetchedToken?

    init(_ mailbox: Mailbox<LoginSource.Message>, _ request: TokenRequest) throws(KernelError) {
        kernel = try Self.kernel(watching: mailbox)
        self.mailbox = mailbox
        self.request = request
    }

    private static func kernel(
        watching mailbox: Mailbox<LoginSource.Message>
    ) throws(KernelError) -> LinuxKernel {
        var kernel = try LinuxKernel()
        try kernel.watch(mailbox.descriptor, token: 1)
        return kernel
    }

    /// Runs as long as there is a source, which is not held while the loop waits.
    mutating func run(_ source: () -> LoginSource?) {
        while source() != nil {
            kernel.wait(until: pace.due ?? .distantFuture) { _ in }
            readMessages()
            guard let due = pace.due, kernel.now >= due else { continue }
            guard source()?.tokens?.isUsed ?? false else {
                pace.rest()
                continue
            }
            fetch(source)
        }
    }

    private mutating func readMessages() {
        var messages: [LoginSource.Message] = []
        mailbox.drain { messages.append($0) }
        for message in messages {
            switch message {
            case .needed: pace.needed(now: kernel.now)
            case .rejected:
                request.rejected()
                pace.rejected(now: kernel.now)
            case .stop: pace.rest()
            }
        }
    }

    private mutating func fetch(_ source: () -> LoginSource?) {
        do throws(TokenFault) {
            let wall = WallClock.milliseconds
            let token = try request.fetch(now: wall) { source() != nil }
            try use(token, wall, source())
        } catch {
            guard let source = source() else { return }
            source.update { $0.failed() }
            let now = MonotonicClock.now
            pace.failed(share: .random(in: 0.5...1), now: now)
            let rest = pace.isValid(at: now) ? pace.expires.map { $0 - now } : nil
            notices.failed(error, request.source, rest: rest, source.logger)
            guard rest == nil else { return }
            current = nil
            let isPassing = if case .unavailable = error { true } else { false }
            source.tokens?.fail(
                isPassing ? "\(LoginTokens.unavailableMessage): \(error.detail)" : error.detail)
        }
    }

    private mutating func use(
        _ token: FetchedToken, _ wall: Int64, _ source: LoginSource?
    ) throws(TokenFault) {
        guard let source else { return }
        // A file is read again and again: its token is often the same.
        if token.value != current?.value || pace.failures > 0 {
            let problem = source.tokens?.renew(
                LoginToken(
                    value: token.value, expires: wall + Int64(token.life / .milliseconds(1)),
                    extensions: source.settings.extensions))
            if let problem { throw .refused("\(request.source): \(problem)") }
            notices.fetched(token, request.source, source.logger)
        }
        current = token
        source.update { $0.fetched(life: token.life, at: wall) }
        pace.fetched(
            life: token.life, share: .random(in: TokenPace.renewal),
            maxWait: request.maxWait, now: MonotonicClock.now)
    }
}

extension KafkaLoginSettings {
    fileprivate var extensions: [KafkaProperties.Property] {
        guard case .oauth(let oauth) = self else { return [] }
        return zip(oauth.extensionNames, oauth.extensionValues).map {
            KafkaProperties.Property(name: $0, value: $1)
        }
    }
}
