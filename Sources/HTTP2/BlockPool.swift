internal import CNGHTTP2
internal import Glibc

/// The memory pool of one nghttp2 session: freed blocks are kept for later allocations.
///
/// A request costs nghttp2 half a dozen blocks, always of the same few sizes.
@safe
struct BlockPool: ~Copyable {
    /// Blocks are this much larger than requested, to store their size class.
    fileprivate static let headerSize = 16
    private static let step = 32
    private static let classes = 32
    /// Larger allocations go to the system.
    private static let largest = step * classes - headerSize
    /// The most free blocks kept per class.
    private static let maxKept = 512

    private let heads: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    private let counts: UnsafeMutablePointer<Int>

    init() {
        unsafe heads = .allocate(capacity: Self.classes)
        unsafe heads.initialize(repeating: nil, count: Self.classes)
        unsafe counts = .allocate(capacity: Self.classes)
        unsafe counts.initialize(repeating: 0, count: Self.classes)
    }

    deinit {
        for index in 0..<Self.classes {
            var next = unsafe heads[index]
            while let block = unsafe next {
                unsafe next = unsafe block.load(as: UnsafeMutableRawPointer?.self)
                unsafe Glibc.free(block)
            }
        }
        unsafe heads.deallocate()
        unsafe counts.deallocate()
    }

    /// A block with room for `size` bytes; nil when the system has no memory.
    func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size <= Self.largest else { return unsafe Self.fromSystem(size, kind: Self.classes) }
        let kind = (size + Self.headerSize - 1) / Self.step
        guard let block = unsafe heads[kind] else {
            return unsafe Self.fromSystem((kind + 1) * Self.step - Self.headerSize, kind: kind)
        }
        unsafe heads[kind] = unsafe block.load(as: UnsafeMutableRawPointer?.self)
        unsafe counts[kind] -= 1
        unsafe block.storeBytes(of: kind, as: Int.self)
        return unsafe block + Self.headerSize
    }

    private static func fromSystem(_ size: Int, kind: Int) -> UnsafeMutableRawPointer? {
        guard size <= .max - headerSize, let block = unsafe malloc(size + headerSize) else {
            return nil
        }
        unsafe block.storeBytes(of: kind, as: Int.self)
        unsafe block.storeBytes(of: size, toByteOffset: 8, as: Int.self)
        return unsafe block + headerSize
    }

    /// Returns a block to the pool.
    func free(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer = unsafe pointer else { return }
        let block = unsafe pointer - Self.headerSize
        let kind = unsafe block.load(as: Int.self)
        guard kind < Self.classes, unsafe counts[kind] < Self.maxKept else {
            return unsafe Glibc.free(block)
        }
        unsafe block.storeBytes(of: heads[kind], as: UnsafeMutableRawPointer?.self)
        unsafe heads[kind] = unsafe block
        unsafe counts[kind] += 1
    }

    /// Moves a block's content to one with room for `size` bytes; returns nil and changes nothing
    /// when there is no memory.
    func reallocate(_ pointer: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
        guard let pointer = unsafe pointer else { return unsafe allocate(size) }
        let room = unsafe (pointer - Self.headerSize).load(fromByteOffset: 8, as: Int.self)
        guard size > room else { return unsafe pointer }
        guard let other = unsafe allocate(size) else { return nil }
        unsafe other.copyMemory(from: pointer, byteCount: room)
        unsafe free(pointer)
        return unsafe other
    }
}

extension nghttp2_mem {
    /// The allocator functions of a session; the pool must outlive it.
    init(_ pool: UnsafeMutablePointer<BlockPool>) {
        unsafe self.init(
            mem_user_data: pool, malloc: allocateBlock, free: freeBlock, calloc: allocateCleared,
            realloc: reallocateBlock)
    }
}

private func pool(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<BlockPool>? {
    unsafe context?.assumingMemoryBound(to: BlockPool.self)
}

private func allocateBlock(
    _ size: Int, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    unsafe pool(context)?.pointee.allocate(size)
}

private func freeBlock(_ block: UnsafeMutableRawPointer?, _ context: UnsafeMutableRawPointer?) {
    unsafe pool(context)?.pointee.free(block)
}

private func allocateCleared(
    _ count: Int, _ size: Int, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: size)
    guard !isTooMuch, let block = unsafe pool(context)?.pointee.allocate(bytes) else { return nil }
    unsafe memset(block, 0, bytes)
    return unsafe block
}

private func reallocateBlock(
    _ block: UnsafeMutableRawPointer?, _ size: Int, _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    unsafe pool(context)?.pointee.reallocate(block, size)
}
