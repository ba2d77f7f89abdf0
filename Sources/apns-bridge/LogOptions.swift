public import Arguments
public import Telemetry

extension LogFormat: ExpressibleByArgument {}
extension LogLevel: ExpressibleByArgument {}
