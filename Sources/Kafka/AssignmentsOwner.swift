/// Keeps ``Assignments`` at an address that the library's callbacks can be given.
@safe final class AssignmentsOwner {
    let pointer: UnsafeMutablePointer<Assignments>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: Assignments())
    }

    deinit { unsafe pointer.deinitialize(count: 1).deallocate() }
}
