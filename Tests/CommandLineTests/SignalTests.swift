import Foundation
import Testing

/// A program that waits for its connector file, so that a test controls how long that takes: the
/// test has a lease of the file, which the kernel makes others wait for when they open it.
private final class LoadingProgram {
    let program: RunningProgram
    private let world: BadInputWorld
    private let descriptor: Int32

    private static let setLease: Int32 = 1024
    private static let getLease: Int32 = 1025
    private static let setSignal: Int32 = 10

    init() throws {
        world = try BadInputWorld()
        try world.writeConnector()
        let path = world.folder.appending(path: "orders.yaml").path
        descriptor = unsafe open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        // The kernel reports that the program opens the file with a signal that does nothing.
        try #require(fcntl(descriptor, Self.setSignal, SIGURG) == 0)
        try #require(fcntl(descriptor, Self.setLease, F_WRLCK) == 0)
        program = try RunningProgram(["run", "orders.yaml"], in: world.folder)
        while fcntl(descriptor, Self.getLease) == F_WRLCK, program.isRunning {}
        try #require(program.isRunning, "it never read its connector")
    }

    deinit { close(descriptor) }

    func finishLoading() {
        #expect(fcntl(descriptor, Self.setLease, F_UNLCK) == 0)
    }
}

@Suite struct `A process that runs connectors` {
    @Test(arguments: [SIGTERM, SIGINT])
    func `stops with exit code 0 while it still loads them`(signal: Int32) throws {
        let loading = try LoadingProgram()
        loading.program.send(signal)
        #expect(loading.program.listen(until: "info stopping signal=\(signal)"))
        #expect(loading.program.exitCode == 0)
    }

    /// `timeout` sends its signal to the program and to its process group.
    @Test func `stops in good order on a signal that arrives twice at once`() throws {
        let loading = try LoadingProgram()
        loading.finishLoading()
        #expect(loading.program.listen(until: "info started"))
        loading.program.send(SIGTERM)
        loading.program.send(SIGTERM)
        #expect(loading.program.exitCode == 0)
    }

    @Test func `survives SIGUSR1 and SIGHUP while it still loads them`() throws {
        let loading = try LoadingProgram()
        loading.program.send(SIGUSR1)
        loading.program.send(SIGHUP)
        #expect(loading.program.listen(until: "SIGHUP ignored"))
        loading.finishLoading()
        #expect(loading.program.listen(until: "info started"))
        #expect(loading.program.terminate() == 0)
    }
}

@Suite struct `A running simulator` {
    @Test func `survives SIGUSR1`() throws {
        let simulator = try SimulatorProcess([])
        simulator.send(SIGUSR1)
        #expect(simulator.stop() == 0)
    }

    @Test func `stops on SIGHUP, when its terminal closes`() throws {
        let simulator = try SimulatorProcess([])
        simulator.send(SIGHUP)
        #expect(simulator.exitCode == 0)
    }
}
