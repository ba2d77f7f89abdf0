internal import APNs

extension RenderedNotification {
    /// The most interesting headers first.
    private static let order = [
        "apns-topic", "apns-channel-id", "apns-push-type", "apns-priority", "apns-expiration",
        "apns-collapse-id", "apns-id", "apns-request-id",
    ]

    /// The headers that are sent, in display order.
    func headersForPeople(of request: APNsRequest) -> [APNsRequest.Header] {
        let known = Self.order.compactMap { name in request.headers.first { $0.name == name } }
        return known + request.headers.filter { !Self.order.contains($0.name) }
    }
}
