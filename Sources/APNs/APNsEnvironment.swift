/// Which of Apple's two worlds a device token belongs to.
public enum APNsEnvironment: String, CaseIterable, Sendable {
    case production
    case development

    /// The host that takes pushes for it.
    public var host: String {
        switch self {
        case .production: APNsEndpoint.productionHost
        case .development: APNsEndpoint.developmentHost
        }
    }
}
