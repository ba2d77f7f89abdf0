import Glibc

/// Blocks for a moment before a test examines another process again: a test that does nothing but
/// examine it takes the processor from it. No result depends on how long it takes.
func waitBeforeNextLook() { _ = poll(nil, 0, 25) }
