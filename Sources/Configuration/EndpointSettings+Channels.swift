internal import APNs

extension EndpointSettings {
    /// Where Apple manages the broadcast channels of an environment.
    ///
    /// Source: Apple, *Sending channel management requests to APNs*.
    public static func appleChannels(_ environment: APNsSettings.Environment) -> EndpointSettings {
        let (host, port): (String, UInt16) =
            switch environment {
            case .production: ("api-manage-broadcast.push.apple.com", 2196)
            case .development: ("api-manage-broadcast.sandbox.push.apple.com", 2195)
            }
        return EndpointSettings(host: host, port: port, trustRoots: .system, isCustom: false)
    }
}
