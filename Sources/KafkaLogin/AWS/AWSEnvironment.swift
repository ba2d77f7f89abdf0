internal import Configuration

/// What the environment says about the identity of the process in AWS.
struct AWSEnvironment: Sendable {
    let region: String
    private let variables: [String: String]
    /// Where the metadata of a machine is: an address that only tests change.
    var instanceAddress = "http://169.254.169.254"
    /// Where the credentials of a container of ECS are: an address that only tests change.
    var containerAddress = "http://169.254.170.2"

    init(_ settings: KafkaLoginSettings.AWSMSK) {
        region = settings.region
        variables = settings.environment
    }

    /// The value of a variable; nil when it is not set or empty.
    subscript(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The name of the session of a role, which AWS's own logs show.
    var sessionName: String { self["AWS_ROLE_SESSION_NAME"] ?? "apns-bridge" }
}
