/// The identity of the file at a path, and when it was last written.
public struct FileStamp: Equatable, Sendable {
    var device: UInt64
    var file: UInt64
    var size: Int64
    var seconds: Int64
    var nanoseconds: Int64
}
