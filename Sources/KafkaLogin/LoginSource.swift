public import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import Synchronization
public import Telemetry

/// Where the tokens of one login come from: a thread of its own fetches them before they expire, as
/// long as a client uses them.
public final class LoginSource: Sendable {
    /// What is sent to the thread.
    enum Message: Sendable {
        case needed, rejected, stop
    }

    private struct State {
        var logger: Logger?
        var hasStarted = false
        var figures = LoginFigures()
        weak var tokens: LoginTokens?
    }

    private struct Known {
        var source: LoginSource
        var tokens: LoginTokens
    }

    /// Logins that nobody uses are forgotten beyond this number.
    private static let limit = 8
    private static let known = Mutex<[KafkaLoginSettings: Known]>([:])

    let settings: KafkaLoginSettings
    private let mailbox = Mailbox<Message>()
    private let state = Mutex(State())

    private init(_ settings: KafkaLoginSettings) { self.settings = settings }

    deinit { mailbox.post(.stop) }

    /// The tokens of a login, which all its clients in the process share.
    static func tokens(of settings: KafkaLoginSettings) -> LoginTokens {
        shared(settings).tokens
    }

    private static func shared(_ settings: KafkaLoginSettings) -> Known {
        known.withLock { known in
            if let found = known[settings] { return found }
            if known.count >= limit { known = known.filter { $0.value.tokens.isUsed } }
            let source = LoginSource(settings)
            let tokens = LoginTokens { demand in source.wants(demand) }
            source.state.withLock { $0.tokens = tokens }
            let new = Known(source: source, tokens: tokens)
            known[settings] = new
            return new
        }
    }

    /// Reports from now on what becomes of the tokens of a login.
    public static func log(_ settings: KafkaLoginSettings, to logger: Logger) {
        shared(settings).source.state.withLock { $0.logger = logger }
    }

    /// What became of the tokens of a login; for one that is not known, as before its first token.
    public static func figures(of settings: KafkaLoginSettings) -> LoginFigures {
        let source = known.withLock { $0[settings]?.source }
        return source?.state.withLock { $0.figures } ?? LoginFigures()
    }

    /// Sets what ``figures(of:)`` returns.
    func show(_ figures: LoginFigures) { state.withLock { $0.figures = figures } }

    /// Fetches a token on the calling thread; returns what `doctor` says about it.
    public static func check(_ settings: KafkaLoginSettings) -> Result<String, LoginFailure> {
        var request = TokenRequest(settings)
        do throws(TokenFault) {
            let token = try request.fetch(now: WallClock.milliseconds) { true }
            let note = request.note.map { "; \($0)" } ?? ""
            return .success(
                "token of \(request.source), valid for \(token.life.components.seconds) s\(note)")
        } catch {
            return .failure(LoginFailure(description: error.detail))
        }
    }

    private func wants(_ demand: LoginTokens.Demand) {
        mailbox.post(demand == .rejected ? .rejected : .needed)
        state.withLock { state in
            if !state.hasStarted { start(&state) }
        }
    }

    private func start(_ state: inout State) {
        state.hasStarted = true
        let mailbox = mailbox
        let request = TokenRequest(settings)
        do throws(KernelError) {
            try LoopThread(name: "kafka-login") { [weak self] in
                do throws(KernelError) {
                    var loop = try TokenLoop(mailbox, request)
                    loop.run { self }
                } catch {
                    self?.failed(error)
                }
            }.detach()
        } catch {
            state.hasStarted = false
            state.tokens?.fail("\(LoginTokens.unavailableMessage): \(error.description)")
        }
    }

    private func failed(_ error: KernelError) {
        let tokens = state.withLock { state in
            state.hasStarted = false
            return state.tokens
        }
        tokens?.fail("\(LoginTokens.unavailableMessage): \(error.description)")
    }

    var tokens: LoginTokens? { state.withLock { $0.tokens } }
    var logger: Logger? { state.withLock { $0.logger } }
}

/// Why there is no token.
public struct LoginFailure: Error, CustomStringConvertible {
    /// What the source of tokens did.
    public var description: String
}
