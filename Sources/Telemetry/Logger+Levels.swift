extension Logger {
    /// Writes every step.
    public func trace(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.trace, message(), metadata: metadata())
    }

    /// Writes what helps to understand one part.
    public func debug(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.debug, message(), metadata: metadata())
    }

    /// Writes what happens on a normal day.
    public func info(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.info, message(), metadata: metadata())
    }

    /// Writes what is normal but worth a second look.
    public func notice(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.notice, message(), metadata: metadata())
    }

    /// Writes what went wrong and was dealt with.
    public func warning(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.warning, message(), metadata: metadata())
    }

    /// Writes what somebody has to deal with.
    public func error(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.error, message(), metadata: metadata())
    }

    /// Writes why the process cannot do its work.
    public func critical(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> Metadata = [:]
    ) {
        log(.critical, message(), metadata: metadata())
    }
}
