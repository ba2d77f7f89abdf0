internal import JSON

/// Reads from a push's labels, a JSON object, the values that metrics distinguish.
struct LabelReader: ~Copyable {
    private let names: [[UInt8]]
    private var tape = JSONTape()
    private var name: [UInt8] = []
    /// The values read last, separated by zero bytes.
    private(set) var key: [UInt8] = []

    init(names: [String]) { self.names = names.map { Array($0.utf8) } }

    /// True when no label is to be read.
    var isEmpty: Bool { names.isEmpty }

    /// Reads the values; a label that is absent or null has an empty one.
    mutating func read(_ labels: RawSpan) {
        key.removeAll(keepingCapacity: true)
        do throws(JSONError) { try tape.read(labels) } catch { tape = JSONTape() }
        for index in names.indices {
            if index > 0 { key.append(0) }
            appendValue(of: names[index], in: labels)
        }
    }

    private mutating func appendValue(of wanted: [UInt8], in labels: RawSpan) {
        guard tape.count > 0 else { return }
        let children = tape.children(of: 0)
        var child = children.first
        while child < children.end {
            name.removeAll(keepingCapacity: true)
            name.appendText(of: child, on: tape, in: labels)
            let value = tape.next(after: child)
            if name == wanted { return append(value, in: labels) }
            child = tape.next(after: value)
        }
    }

    private mutating func append(_ value: Int, in labels: RawSpan) {
        let start = key.count
        switch tape[value].kind {
        case .string: key.appendText(of: value, on: tape, in: labels)
        case .null: return
        default: key.appendJSON(of: value, on: tape, in: labels)
        }
        for index in start..<key.count where key[index] == 0 { key[index] = UInt8(ascii: "?") }
    }
}
