public import Delivery
public import Mapping
public import SchemaRegistry

/// Shows what records become: the mapping, identifiers and requests of a worker, without one.
public struct RecordRenderer: ~Copyable {
    private var mapper: Mapper
    private var mapped = MappedRecord()
    private let clusterID: String
    private let group: String
    private let targets: [RenderedTarget]
    private let schemas: SchemaRegistry?

    /// Creates a renderer for the records that `group` reads; `clusterID` is the broker's, `-` when
    /// it was not requested.
    /// Without `explains` it is faster, and drops have no hints. `targets` are those of the apps
    /// that the plan chooses from. With `schemas`, records are those of a topic, and each needs
    /// ``lookUpSchema(of:)``; without, their values are JSON.
    public init(
        plan: MappingPlan, clusterID: String = "-", group: String, explains: Bool = true,
        targets: [RenderedTarget] = [], schemas: SchemaRegistry? = nil
    ) {
        self.targets = targets
        self.schemas = schemas
        mapper = Mapper(plan: plan)
        self.clusterID = clusterID
        self.group = group
        mapper.explains = explains
    }

    /// The templates that used a fallback for the last record.
    public var fallbacks: [Fallback] { mapper.fallbacks }

    /// Looks up the schema of a record, if it has one that is not known.
    public mutating func lookUpSchema(of record: borrowing Record) throws(SchemaFailure) {
        guard let schemas else { return }
        try mapper.lookUpSchema(of: record, in: schemas)
    }

    /// Renders a record as a worker would at `now`, in milliseconds since 1970.
    public mutating func render(_ record: borrowing Record, now: Int64) -> RenderedRecord {
        mapper.map(record, now: now, into: &mapped)
        let name = NotificationName(
            clusterID: clusterID, group: group, topicPartition: record.topicPartition)
        let notifications = mapped.notifications[..<mapped.count].map { notification in
            let id = name.identifier(of: notification, offset: record.offset)
            var rendered = RenderedNotification(notification, id: id, now: now)
            if targets.indices.contains(notification.app) {
                rendered.target = targets[notification.app]
            }
            rendered.explanation = mapper.explanations[notification.drop?.detail ?? ""] ?? []
            return rendered
        }
        var rendered = RenderedRecord(
            isSkipped: mapped.isSkipped, notifications: notifications)
        rendered.explanation = mapper.filterExplanation
        rendered.cuts = mapper.cuts
        rendered.unmatchedElements = mapper.unmatchedElements
        return rendered
    }
}
