/// Keeps ``Assignments`` at a stable address that can be passed to the library's callbacks.
@safe final class AssignmentsOwner {
    let pointer: UnsafeMutablePointer<Assignments>

    init() {
        unsafe pointer = .allocate(capacity: 1)
        unsafe pointer.initialize(to: Assignments())
    }

    deinit { unsafe pointer.deinitialize(count: 1).deallocate() }
}
