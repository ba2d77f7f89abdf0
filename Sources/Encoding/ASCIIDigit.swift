extension UInt8 {
    /// True for the ASCII digits from 0 to 9.
    @inlinable public var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}

extension Unicode.Scalar {
    /// True for the ASCII digits from 0 to 9.
    public var isDigit: Bool { "0"..."9" ~= self }
}
