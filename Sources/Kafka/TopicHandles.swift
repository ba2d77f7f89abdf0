internal import CRDKafka

/// The library's topic objects, each created once and kept until the end, or until it is released.
@safe final class TopicHandles {
    private let client: Client
    private var names: [String] = []
    private var handles: [OpaquePointer] = unsafe []

    init(client: Client) { self.client = client }

    deinit {
        for index in unsafe handles.indices { unsafe rd_kafka_topic_destroy(handles[index]) }
    }

    /// The topic object; nil when the library rejects its name.
    func handle(of name: String) -> OpaquePointer? {
        for index in names.indices where names[index] == name { return unsafe handles[index] }
        guard let handle = unsafe rd_kafka_topic_new(client.pointer, name, nil) else { return nil }
        names.append(name)
        unsafe handles.append(handle)
        return unsafe handle
    }

    /// The number of objects.
    var count: Int { names.count }

    /// Releases all objects but those of these topics.
    func release(except kept: Set<String>) {
        for index in names.indices.reversed() where !kept.contains(names[index]) {
            names.remove(at: index)
            unsafe rd_kafka_topic_destroy(handles.remove(at: index))
        }
    }
}
