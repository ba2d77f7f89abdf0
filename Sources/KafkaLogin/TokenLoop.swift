internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka

/// The life of the thread that fetches the tokens of a login.
struct TokenLoop: ~Copyable {
    private let mailbox: Mailbox<LoginSource.Message>
    private var request: TokenRequest
    private var kernel: LinuxKernel
    private var renewal = TokenRenewal()

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
            kernel.wait(until: renewal.pace.due ?? .distantFuture) { _ in }
            readMessages()
            guard let due = renewal.pace.due, kernel.now >= due else { continue }
            guard source()?.tokens?.isUsed ?? false else {
                renewal.pace.cancel()
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
            case .needed: renewal.pace.needed(now: kernel.now)
            case .rejected:
                request.rejected()
                renewal.pace.rejected(now: kernel.now, minAge: request.minAge)
            case .stop: renewal.pace.cancel()
            }
        }
    }

    private mutating func fetch(_ source: () -> LoginSource?) {
        let (time, wall) = (MonotonicClock.now, WallClock.milliseconds)
        let response: Result<FetchedToken, TokenFault>
        do throws(TokenFault) {
            response = .success(try request.fetch(now: wall) { source() != nil })
        } catch {
            response = .failure(error)
        }
        guard let source = source() else { return }
        let problem = renewal.finish(
            response,
            TokenRenewal.Request(
                source: request.source, maxWait: request.maxWait, time: time, wallClock: wall,
                extensions: source.settings.extensions),
            shares: (.random(in: TokenPace.renewal), .random(in: TokenPace.pauses)),
            now: MonotonicClock.now, logger: source.logger
        ) { source.tokens?.renew($0) }
        source.show(renewal.figures)
        if let problem { source.tokens?.fail(problem) }
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
