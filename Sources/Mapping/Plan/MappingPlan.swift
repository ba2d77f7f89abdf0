internal import Delivery
internal import JSON

/// A connector's mapping, compiled: what ``Mapper`` walks for each record.
///
/// Everything that is examined for each record is flat: numbers that point into arrays. What
/// only an explanation needs stands apart.
public struct MappingPlan: Sendable {
    /// Computes the hash of bytes.
    public typealias HashFunction = @Sendable (_ bytes: [UInt8]) -> [UInt8]

    /// A piece of `constants`, or of the text that is put together while a record is mapped.
    struct Piece: Sendable, BitwiseCopyable {
        var start: Int32
        var end: Int32
    }

    /// A run of elements in one of the arrays of the plan.
    struct Run: Sendable, BitwiseCopyable {
        var start: Int32
        var end: Int32

        var isEmpty: Bool { start == end }
        var range: Range<Int> { Int(start)..<Int(end) }
    }

    enum Operand: Sendable, BitwiseCopyable {
        case path(Int32)
        /// The path to an array, and the one from each of its elements.
        case everyElement(array: Int32, rest: Int32)
        case text(Piece)
        case number(Piece)
        case boolean(Bool)
        case key, topic, timestamp, partition, offset
        case header(Int32)
        case attribute(Int32)
    }

    enum Transform: Sendable, BitwiseCopyable {
        case upper, lower, trim, nonempty, text, number, json, length, hex
        /// At most this many graphemes.
        case truncate(Int32)
        /// This many digits behind the point.
        case fixed(Int32)
        /// The point moves this far to the right.
        case shift(Int32)
        case join(separator: Piece)
        case date(format: Piece, zone: Run)
        /// Which of `choices` may match.
        case map(Run)
        case standIn(Run)
    }

    /// A pair of `map`: what is compared, and what stands for it.
    struct Choice: Sendable, BitwiseCopyable {
        /// Text, a number or a boolean; nil for `else`.
        var key: Operand?
        /// One operand.
        var value: Run
    }

    struct Hole: Sendable, BitwiseCopyable {
        var operands: Run
        var transforms: Run
        var isOptional: Bool
        /// The path, when the hole is nothing but one into the event; otherwise -1.
        var lonePath: Int32 = -1
    }

    enum Part: Sendable, BitwiseCopyable {
        case text(Piece)
        case hole(Int32)
    }

    struct Template: Sendable, BitwiseCopyable {
        var parts: Run
        /// The number of the hole, when the template is exactly one; otherwise -1.
        var aloneHole: Int32
    }

    /// What an explanation says of a hole.
    struct HoleOrigin: Sendable {
        var written: String
        var place: MappingPlace?
    }

    var fileName = ""
    var environment: String?
    var constants: [UInt8] = []
    var paths = JSONPathTable()
    var operands: [Operand] = []
    var transforms: [Transform] = []
    var choices: [Choice] = []
    var holes: [Hole] = []
    var holeOrigins: [HoleOrigin] = []
    var parts: [Part] = []
    var templates: [Template] = []
    var headers: [[UInt8]] = []
    /// How the value of a record becomes the event that paths begin in.
    var format = EventFormat.json
    /// The CloudEvents attributes that every event must have, then those that anything asks for.
    var attributes: [EventAttribute] = []
    /// The header, and the paths to the data, of CloudEvents.
    var contentType: Int32 = -1
    var data: Int32 = -1
    var encodedData: Int32 = -1
    var usesKey = false
    var usesTopic = false
    /// The templates in the written `device_tokens` lists of all blocks.
    var tokenTemplates: [Int32] = []
    /// The steps of writing the payloads of all blocks.
    var steps: [PayloadStep] = []
    /// The connector's own bundle identifier.
    var defaultBundleID: [UInt8] = []
    /// How the app of a notification is chosen, where there are several.
    var apps = AppChoice()
    /// The conditions of all event patterns.
    var patterns = PatternTable()
    /// What every event must be that makes anything.
    var pattern: EventPattern?
    /// The notifications that an event can make, in the order of the file.
    var blocks: [BlockPlan] = []
    /// The conditions of `when`, and those of each block, for explanations.
    var conditions: [LoneCondition] = []
    var blockConditions: [[LoneCondition]] = []
    /// True when every block that matches makes its notification, not the first alone.
    var matchesAll = false
    /// What shortens a collapse ID.
    let hash: HashFunction

    init(hash: @escaping HashFunction) { self.hash = hash }
}

/// One notification that an event can make.
struct BlockPlan: Sendable {
    var fields = FieldPlan()
    /// Into the plan's `steps`.
    var payload = MappingPlan.Run(start: 0, end: 0)
    /// True when the rules of the push type can only be checked on the finished payload.
    var checksPayload = true
    /// True when an event brings members of the payload whole, so that their values are not checked
    /// before.
    var checksMembers = false
    /// The path in the payload to the text that is cut when it is too large; -1 to drop it.
    var truncated: Int32 = -1
    /// What an event must be to make this notification; nil for every event.
    var pattern: EventPattern?
    /// Where the fields are written, for explanations.
    var places: [String: MappingPlace] = [:]
}

/// Which templates fill the fields of a notification; -1 where there is none.
struct FieldPlan: Sendable, BitwiseCopyable {
    var deviceToken: Int32 = -1
    /// The elements of a written `device_tokens` list: into the plan's `tokenTemplates`.
    var deviceTokens = MappingPlan.Run(start: 0, end: 0)
    /// The one template that gives all device tokens.
    var tokenArray: Int32 = -1
    var pushType: Int32 = -1
    var fixedPushType: PushType?
    var priority: Int32 = -1
    var collapseID: Int32 = -1
    var expiration: Int32 = -1
    var timeToLive: Int32 = -1
    var eventTime: Int32 = -1
    var bundleID: Int32 = -1
    var ownID: Int32 = -1
    var environment: Int32 = -1
    /// True when a collapse ID that Apple would refuse is replaced by its digest.
    var hashesCollapseID = false
}

/// One step of writing the payload, from left to right.
enum PayloadStep: Sendable, BitwiseCopyable {
    /// Bytes as they are.
    case raw(MappingPlan.Piece)
    /// A comma, unless the object or array has just begun.
    case comma
    /// A value that must be there.
    case value(template: Int32, PayloadTarget)
    /// A value that takes its name, and a comma before it, away with it when it is omitted.
    case optional(name: MappingPlan.Piece, comma: CommaRule, template: Int32, PayloadTarget)
}

/// What stands before a member or an element.
enum CommaRule: Sendable, BitwiseCopyable {
    case never, always, unlessFirst
}
