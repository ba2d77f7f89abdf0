internal import JSON

extension Evaluator {
    /// A string without leading and trailing white space.
    func trimmed(_ piece: TextPiece) -> TextPiece {
        var piece = piece
        while let first = TextScan.first(scratch, piece.start, piece.end), first.isSpace {
            piece.start = first.end
        }
        while let last = TextScan.last(scratch, piece.start, piece.end), last.isSpace {
            piece.end = last.start
        }
        return piece
    }

    /// Changes the case of a string at the end of the scratch buffer.
    mutating func cased(_ piece: TextPiece, upper: Bool) -> TextPiece {
        guard TextScan.isASCII(scratch, piece.start, piece.end) else {
            borrowWork { text, work in
                CaseMapping.append(text.span.extracting(piece.start..<piece.end), upper, to: &work)
            }
            return takeWork()
        }
        let first = upper ? UInt8(ascii: "a") : UInt8(ascii: "A")
        for index in piece.start..<piece.end where scratch[index] &- first < 26 {
            scratch[index] ^= 0x20
        }
        return piece
    }

    /// A string with each occurrence of one string replaced by another, from left to right.
    mutating func replaced(
        _ piece: TextPiece, _ old: MappingPlan.Piece, by new: MappingPlan.Piece
    ) -> TextPiece {
        let count = Int(old.end - old.start)
        work.removeAll(keepingCapacity: true)
        var index = piece.start
        while index < piece.end {
            if piece.end - index >= count, isConstant(old, at: index) {
                work.append(plan.constants, from: Int(new.start), to: Int(new.end))
                index += count
            } else {
                work.append(scratch[index])
                index += 1
            }
        }
        return takeWork()
    }

    /// True when a constant string stands at a position of the scratch buffer.
    private mutating func isConstant(_ piece: MappingPlan.Piece, at start: Int) -> Bool {
        let shift = start - Int(piece.start)
        for index in Int(piece.start)..<Int(piece.end)
        where plan.constants[index] != scratch[index + shift] { return false }
        return true
    }

    /// At most `count` graphemes of a string at the end of the scratch buffer, including `…`.
    mutating func truncated(_ piece: TextPiece, to count: Int) -> TextPiece {
        guard let end = Graphemes.cut(scratch, piece.start, piece.end, to: count) else {
            return piece
        }
        scratch.removeLast(scratch.count - end)
        for byte in "…".utf8 { scratch.append(byte) }
        return self.piece(from: piece.start)
    }

    /// Passes the scratch buffer for reading, and the emptied work buffer for writing.
    mutating func borrowWork(_ body: ([UInt8], inout [UInt8]) -> Void) {
        var buffer: [UInt8] = []
        swap(&buffer, &work)
        buffer.removeAll(keepingCapacity: true)
        body(scratch, &buffer)
        swap(&buffer, &work)
    }

    /// Writes a device token in hexadecimal, whether the event encodes it so or in base64.
    mutating func hex(
        _ value: Value, _ hole: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Value {
        let text = try text(value, for: .hex, hole, in: bytes)
        work.removeAll(keepingCapacity: true)
        guard HexText.append(scratch, text.start, text.end, to: &work) else {
            throw MappingFault(cause: .invalid(.base64), hole: hole)
        }
        return .text(takeWork())
    }
}
