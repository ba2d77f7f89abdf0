extension Logger {
    /// Logs every step.
    public func trace(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.trace, message(), metadata: metadata())
    }

    /// Logs details.
    public func debug(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.debug, message(), metadata: metadata())
    }

    /// Logs normal operation.
    public func info(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.info, message(), metadata: metadata())
    }

    /// Logs something normal but worth attention.
    public func notice(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.notice, message(), metadata: metadata())
    }

    /// Logs something that went wrong and was handled.
    public func warning(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.warning, message(), metadata: metadata())
    }

    /// Logs something that requires action.
    public func error(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.error, message(), metadata: metadata())
    }

    /// Logs why the process cannot do its work.
    public func critical(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.critical, message(), metadata: metadata())
    }
}
