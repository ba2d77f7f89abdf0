public import Configuration
public import Delivery
internal import EventLoop
internal import HTTPClient
public import Mapping
internal import Synchronization
public import Telemetry

/// Looks up the schemas of one registry for all workers of the process, on a thread of its own.
///
/// An ID means the same schema for ever, so that each is requested once.
public final class SchemaRegistry: Sendable {
    /// Where a response goes; it is called on the registry's thread, or at once.
    public typealias Reply = @Sendable (SchemaResult) -> Void

    private struct State {
        var known = SchemaCache()
        var waiting: [SchemaID: [Reply]] = [:]
        var hasStarted = false
        var hasStopped = false
    }

    /// What is sent to the thread.
    enum Message: Sendable {
        case find(SchemaID, isLastTry: Bool)
        case stop
    }

    private let settings: SchemaRegistrySettings
    private let logger: Logger?
    private let mailbox = Mailbox<Message>()
    private let state = Mutex(State())

    /// Creates a registry that has not been asked anything.
    public init(_ settings: SchemaRegistrySettings, logger: Logger? = nil) {
        self.settings = settings
        self.logger = logger
    }

    deinit { stop() }

    /// Asks for a schema. The last response is `found`; those before it say why it takes a while. A
    /// schema that the registry did not know, or that cannot be used, is asked for once more.
    public func ask(_ id: SchemaID, _ reply: @escaping Reply) {
        let known: KnownSchema? = state.withLock { state in
            let found = state.known[id]
            if let found, found.fault == nil { return found }
            let isLastTry = found != nil
            let isNew = state.waiting[id] == nil
            state.waiting[id, default: []].append(reply)
            if isNew { mailbox.post(.find(id, isLastTry: isLastTry)) }
            if !state.hasStarted { start(&state) }
            return nil
        }
        if let known { reply(.found(known)) }
    }

    /// Looks up the schema of a record on the calling thread, and adds it to a decoder. Throws
    /// when the registry does not respond as one does.
    func teach(
        _ decoder: inout RecordDecoder, schemaOf record: borrowing Record
    ) throws(SchemaFailure) {
        decoder.idBytes = settings.idBytes
        // That of the value, and that of the key.
        while let id = decoder.missingSchema(of: record) {
            switch find(id) {
            case .schema(let schema): decoder.learn(id, schema)
            case .unknown: decoder.learn(id, .unknown)
            case .unavailable(let detail):
                throw SchemaFailure(description: "schema \(id) cannot be looked up: \(detail)")
            }
        }
    }

    /// Whether each address of the registry responds, and as what: nil for one that does.
    public func check() -> [(url: String, fault: String?)] {
        guard var getter = HTTPGetter(options) else { return [] }
        return settings.urls.map { url in
            (url, SchemaLookup(settings).check(url) { getter.get($0) { true } })
        }
    }

    /// Looks up a schema on the calling thread, once.
    func find(_ id: SchemaID) -> SchemaLookup.Finding {
        if let known = state.withLock({ $0.known[id] }), known.fault != .unknown {
            return .schema(known)
        }
        guard var getter = HTTPGetter(options) else { return .unavailable("out of memory") }
        let finding = SchemaLookup(settings).find(id) { getter.get($0) { true } }
        if case .schema(let schema) = finding { remember(id, schema) }
        return finding
    }

    /// Ends the thread soon; what is waited for gets no response.
    public func stop() {
        state.withLock { $0.hasStopped = true }
        mailbox.post(.stop)
    }

    private var options: HTTPGetterOptions {
        var options = HTTPGetterOptions()
        options.username = settings.username
        options.password = settings.password
        options.token = settings.token
        options.caFile = settings.caFile
        options.certificate = settings.certificate
        options.certificateKey = settings.certificateKey
        options.timeout = settings.timeout
        if settings.idBytes == 4 { options.accept = "application/vnd.schemaregistry.v1+json" }
        return options
    }

    private func start(_ state: inout State) {
        state.hasStarted = true
        let (mailbox, options, settings) = (mailbox, options, settings)
        do throws(KernelError) {
            try LoopThread(name: "schemas") { [weak self] in
                do throws(KernelError) {
                    var loop = try LookupLoop(mailbox, options, SchemaLookup(settings))
                    loop.run(
                        while: { self?.isRunning ?? false },
                        reply: { self?.reply($0, $1) })
                } catch {
                    self?.failed(error)
                }
            }.detach()
        } catch {
            state.hasStarted = false
            log(error)
        }
    }

    private func failed(_ error: KernelError) {
        state.withLock { $0.hasStarted = false }
        log(error)
    }

    private func log(_ error: KernelError) {
        logger?.error(
            "schemas cannot be looked up",
            metadata: [
                "detail": .string(error.description),
                "action": "raise the limit, and start the process again",
            ])
    }

    private var isRunning: Bool { state.withLock { !$0.hasStopped } }

    private func reply(_ id: SchemaID, _ result: SchemaResult) {
        let replies: [Reply]
        if case .found(let schema) = result {
            remember(id, schema)
            replies = state.withLock { $0.waiting.removeValue(forKey: id) ?? [] }
        } else {
            replies = state.withLock { $0.waiting[id] ?? [] }
        }
        for reply in replies { reply(result) }
    }

    private func remember(_ id: SchemaID, _ schema: KnownSchema) {
        state.withLock { $0.known.remember(id, schema) }
    }
}

extension Mapper {
    /// Looks up the schema of a record on the calling thread, if it is not known. From then on,
    /// values are not taken for JSON.
    public mutating func lookUpSchema(
        of record: borrowing Record, in registry: SchemaRegistry
    ) throws(SchemaFailure) {
        try registry.teach(&decoder, schemaOf: record)
    }
}

/// Why a schema could not be looked up.
public struct SchemaFailure: Error, CustomStringConvertible {
    /// What the registry did.
    public var description: String
}

/// The life of a registry's thread.
private struct LookupLoop: ~Copyable {
    private let mailbox: Mailbox<SchemaRegistry.Message>
    private let lookup: SchemaLookup
    private var kernel: LinuxKernel
    private var getter: HTTPGetter?
    private var queue = LookupQueue()

    init(
        _ mailbox: Mailbox<SchemaRegistry.Message>, _ options: HTTPGetterOptions,
        _ lookup: SchemaLookup
    ) throws(KernelError) {
        kernel = try Self.kernel(watching: mailbox)
        self.mailbox = mailbox
        self.lookup = lookup
        getter = HTTPGetter(options)
    }

    private static func kernel(
        watching mailbox: Mailbox<SchemaRegistry.Message>
    ) throws(KernelError) -> LinuxKernel {
        var kernel = try LinuxKernel()
        try kernel.watch(mailbox.descriptor, token: 1)
        return kernel
    }

    mutating func run(
        while isRunning: @escaping () -> Bool, reply: (SchemaID, SchemaResult) -> Void
    ) {
        while isRunning() {
            kernel.wait(until: queue.next ?? .distantFuture) { _ in }
            readMessages()
            guard isRunning(), let id = queue.due(at: kernel.now) else { continue }
            let finding = lookUp(id, while: isRunning)
            guard isRunning() else { return }
            reply(id, queue.settle(id, finding, now: MonotonicClock.now))
        }
    }

    private mutating func lookUp(
        _ id: SchemaID, while isRunning: () -> Bool
    ) -> SchemaLookup.Finding {
        lookup.find(id) { getter?.get($0, while: isRunning) ?? .failed("out of memory") }
    }

    private mutating func readMessages() {
        var messages: [SchemaRegistry.Message] = []
        mailbox.drain { messages.append($0) }
        for case .find(let id, let isLastTry) in messages {
            queue.add(id, isLastTry: isLastTry, now: kernel.now)
        }
    }
}
