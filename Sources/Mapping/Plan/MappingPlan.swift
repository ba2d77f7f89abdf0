internal import Delivery
internal import JSON

/// A connector's compiled mapping, which ``Mapper`` evaluates for each record.
///
/// Everything needed for each record is flat: indices into arrays. What only explanations need is
/// kept separately.
public struct MappingPlan: Sendable {
    /// Computes the hash of bytes.
    public typealias HashFunction = @Sendable (_ bytes: [UInt8]) -> [UInt8]

    /// A range of `constants`, or of the string composed while a record is mapped.
    struct Piece: Sendable, BitwiseCopyable {
        var start: Int32
        var end: Int32
    }

    /// A range of elements in one of the plan's arrays.
    struct Run: Sendable, BitwiseCopyable {
        var start: Int32
        var end: Int32

        var isEmpty: Bool { start == end }
        var range: Range<Int> { Int(start)..<Int(end) }
    }

    enum Operand: Sendable, BitwiseCopyable {
        case path(Int32)
        /// The path of an array, and the path from each of its elements.
        case everyElement(array: Int32, rest: Int32)
        /// A path with steps that depend on values: an index into `lookUps`.
        case lookUp(Int32)
        case text(Piece)
        case number(Piece)
        case boolean(Bool)
        case key, topic, timestamp, partition, offset
        case header(Int32)
        case attribute(Int32)
    }

    enum Transform: Sendable, BitwiseCopyable {
        case upper, lower, trim, nonempty, text, number, json, parse, language, length, hex
        /// At most this many graphemes.
        case truncate(Int32)
        /// This many digits after the point.
        case fixed(Int32)
        /// The point moves to the right by this much.
        case shift(Int32)
        /// This much is added, or subtracted.
        case plus(Int64)
        case minus(Int64)
        /// Each occurrence of the first string becomes the second one.
        ///
        /// The borders of the first one begin at this index of `borders`.
        case replace(Piece, by: Piece, borders: Int32)
        case join(separator: Piece)
        case date(format: Piece, zone: Run)
        /// The range of `choices` that may match.
        case map(Run)
        case standIn(Run)
    }

    /// A path that is continued by the value at another one.
    struct LookUp: Sendable, BitwiseCopyable {
        /// The path of the first object or array.
        var base: Int32
        /// Indices into `lookUpSteps`.
        var steps: Run
    }

    /// A step to the member, or the element, that is the value of an operand.
    struct LookUpStep: Sendable, BitwiseCopyable {
        /// One operand.
        var key: Run
        /// The path from there.
        var rest: Int32
    }

    /// A pair of `map`: the key that is compared, and the value that replaces it.
    struct Choice: Sendable, BitwiseCopyable {
        /// A string, number or boolean; nil for `else`.
        var key: Operand?
        /// One operand.
        var value: Run
    }

    struct Hole: Sendable, BitwiseCopyable {
        var operands: Run
        var transforms: Run
        var isOptional: Bool
        /// The path, if the hole is a single path into the event; otherwise -1.
        var lonePath: Int32 = -1
        /// True within a `for_each` when the value is the same for each element.
        var isShared = false
        /// True when its last transform is `parse`: its string is the JSON of a value.
        var isParsed = false
        /// The events of a Live Activity for which it is evaluated.
        var events = ActivityEvents.all
    }

    enum Part: Sendable, BitwiseCopyable {
        case text(Piece)
        case hole(Int32)
    }

    struct Template: Sendable, BitwiseCopyable {
        var parts: Run
        /// The number of the hole, if the template is exactly one hole; otherwise -1.
        var aloneHole: Int32
        /// The path, if that hole is a single path into the event that may be absent; otherwise -1.
        var optionalPath: Int32 = -1
    }

    /// What an explanation needs to know about a hole.
    struct HoleOrigin: Sendable {
        var written: String
        var location: MappingLocation?
        /// The block whose `for_each` it is in, if any.
        var elementBlock: Int?
    }

    var fileName = ""
    var environment: String?
    var constants: [UInt8] = []
    var paths = JSONPathTable()
    /// Where paths into an element of `for_each` begin; -1 when no block has it.
    var elementStart: Int32 = -1
    /// Those paths.
    var elementPaths: [Int32] = []
    /// Where paths into the record's whole value begin; -1 when nothing refers to it.
    var valueStart: Int32 = -1
    /// Where paths into the record's key begin; -1 when nothing refers to them.
    var keyStart: Int32 = -1
    /// What keys are in; nil when they are only text.
    var keyFormat: KeyFormat?
    /// True when the connector's own `when` has conditions on the record's whole value.
    var examinesValue = false
    /// True to drop events with half of a surrogate pair, which otherwise is read as U+FFFD.
    var isStrictUnicode = false
    var operands: [Operand] = []
    var transforms: [Transform] = []
    /// The borders of strings that are searched: see ``Borders``.
    var borders: [Int32] = []
    var choices: [Choice] = []
    var lookUps: [LookUp] = []
    var lookUpSteps: [LookUpStep] = []
    var holes: [Hole] = []
    var holeOrigins: [HoleOrigin] = []
    var parts: [Part] = []
    var templates: [Template] = []
    var headers: [HeaderSought] = []
    /// How a record's value becomes the event that paths start from.
    var format = EventFormat.json
    /// What values are in whose JSON text is made by their schema.
    var encoding: SchemaEncoding?
    /// The location of the event in the value, if it is not all of it.
    var event = EventLocation()
    /// The CloudEvents attributes that every event must have, followed by those used anywhere.
    var attributes: [EventAttribute] = []
    /// The header, and the paths of the data, of CloudEvents.
    var contentType: Int32 = -1
    var data: Int32 = -1
    var encodedData: Int32 = -1
    var usesKey = false
    var usesTopic = false
    /// The templates in the literal `device_tokens` lists of all blocks.
    var tokenTemplates: [Int32] = []
    /// The keys that are written next to a `...` in payloads.
    var spreadNames: [[UInt8]] = []
    /// The steps for writing the payloads of all blocks.
    var steps: [PayloadStep] = []
    /// The connector's own bundle identifier.
    var defaultBundleID: [UInt8] = []
    /// Those that an event may name besides.
    var allowedBundleIDs = AllowedBundleIDs()
    /// The labels of all blocks, and where they are written.
    var labels: [LabelPlan] = []
    var labelOrigins: [LabelOrigin] = []
    /// How a notification's app is chosen, if there are several.
    var apps = AppChoice()
    /// The conditions of all event patterns.
    var patterns = PatternTable()
    /// The pattern that every event must match.
    var pattern: EventPattern?
    /// True when `when` filters records whose value is null.
    var filtersTombstones = false
    /// The notifications that an event can yield, in the order of the file.
    var blocks: [BlockPlan] = []
    /// The conditions of `when`, and those of each block, for explanations.
    var conditions: [LoneCondition] = []
    var blockConditions: [[LoneCondition]] = []
    /// Those of each block on the elements of its list.
    var elementConditions: [[LoneCondition]] = []
    /// True when every matching block yields its notification, not only the first.
    var matchesAll = false
    /// Shortens a collapse ID.
    let hash: HashFunction

    init(hash: @escaping HashFunction) { self.hash = hash }

    /// True if the file says that it broadcasts; canonical events may do so as well.
    public var hasBroadcasts: Bool { blocks.contains { $0.isBroadcast } }
}

/// A notification that an event can yield.
struct BlockPlan: Sendable {
    var fields = FieldPlan()
    /// Indices into the plan's `steps`.
    var payload = MappingPlan.Run(start: 0, end: 0)
    /// The path in the event of the object that is the whole payload; -1 when it is composed.
    var payloadPath: Int32 = -1
    /// True when the push type's rules can only be checked on the finished payload.
    var checksPayload = true
    /// True when the only rule that is left to check is that an alert displays something.
    var checksOnlyDisplay = false
    /// True when whole members of the payload come from the event, so that their values could not
    /// be checked earlier.
    var checksMembers = false
    /// True within a `for_each` when the payload is the same for each element.
    var isPayloadShared = false
    /// The path in the payload to the string to truncate if it is too large; -1 to drop it.
    var truncated: Int32 = -1
    /// The pattern that an event must match to yield this notification; nil for every event.
    var pattern: EventPattern?
    /// The list whose elements each yield a notification; nil for a single one.
    var elements: ElementPlan?
    /// True if the payload is that of a `live_activity`.
    var isLiveActivity = false
    /// True if it broadcasts to a channel.
    var isBroadcast = false
    /// The bundle identifier that the file gives it; nil if that is another's or the event's.
    var ownBundleID: [UInt8]?
    /// True if the file names a bundle identifier of Wallet for it.
    var isOfWallet = false
    /// What `for_each` calls an element, for explanations.
    var elementName = ""
    /// The positions of the fields in the file, for explanations.
    var locations: [String: MappingLocation] = [:]
}

/// The list of a `for_each`.
struct ElementPlan: Sendable, BitwiseCopyable {
    /// The hole whose value is the list.
    var items: Int32
    /// The pattern that an element must match; nil for every element.
    var pattern: EventPattern?
    /// True for the elements that match no earlier block.
    var isForTheRest = false
}

/// The templates of a notification's fields; -1 if there is none.
struct FieldPlan: Sendable, BitwiseCopyable {
    var deviceToken: Int32 = -1
    /// The elements of a literal `device_tokens` list: indices into the plan's `tokenTemplates`.
    var deviceTokens = MappingPlan.Run(start: 0, end: 0)
    /// The single template for all device tokens.
    var tokenArray: Int32 = -1
    /// The channel of a broadcast.
    var channel: Int32 = -1
    var pushType: Int32 = -1
    var fixedPushType: PushType?
    var priority: Int32 = -1
    var collapseID: Int32 = -1
    var expiration: Int32 = -1
    var timeToLive: Int32 = -1
    var eventTime: Int32 = -1
    var bundleID: Int32 = -1
    /// The name of the app; -1 when bundle identifier and environment choose it.
    var app: Int32 = -1
    /// What its outcomes repeat: indices into the plan's `labels`.
    var labels = MappingPlan.Run(start: 0, end: 0)
    /// True when the event determines the bundle identifier, which must be allowed.
    var isBundleIDOfEvent = false
    var ownID: Int32 = -1
    var environment: Int32 = -1
    /// True when an invalid collapse ID is replaced by its hash.
    var hashesCollapseID = false
}

/// One step in writing the payload, from left to right.
enum PayloadStep: Sendable, BitwiseCopyable {
    /// Bytes written as they are.
    case raw(MappingPlan.Piece)
    /// A comma, unless the object or array has just begun.
    case comma
    /// A value that must be present.
    case value(template: Int32, PayloadTarget)
    /// A value inside a string, whose other parts are written as bytes; it must be present.
    case text(hole: Int32)
    /// The members of an object, without those that are written next to it, whose names are a range
    /// of the plan's `spreadNames`.
    case spread(template: Int32, besides: MappingPlan.Run, isTop: Bool)
    /// A value that, when omitted, takes its name and the comma before it with it.
    case optional(name: MappingPlan.Piece, comma: CommaRule, template: Int32, PayloadTarget)
    /// The event of a Live Activity, which the record determines.
    case activityEvent(template: Int32)
    /// The time of a Live Activity's content in seconds; without a template, that of the event.
    case timestamp(template: Int32)
    /// A time in seconds, with a comma and its name unless it is omitted; a span counts from the
    /// timestamp.
    case moment(ActivityKey, name: MappingPlan.Piece, template: Int32)
    /// The next steps are for these events of a Live Activity; otherwise they are skipped.
    case onlyFor(ActivityEvents, steps: Int32)
}

/// What precedes a member or an element.
enum CommaRule: Sendable, BitwiseCopyable {
    case never, always, unlessFirst
}

extension MappingPlan {
    /// The same plan, with the time of each record as the time of its event: for measurements, in
    /// which every record has the same event.
    public var withRecordTimes: MappingPlan {
        var plan = self
        for index in plan.blocks.indices { plan.blocks[index].fields.eventTime = -1 }
        return plan
    }
}
