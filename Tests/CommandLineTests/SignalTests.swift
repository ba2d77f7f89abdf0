import Foundation
import Testing

/// A program that reads its connector from a pipe, so that a test controls how long that takes.
private final class LoadingProgram {
    let program: RunningProgram
    private let world: BadInputWorld
    private let pipe: FileHandle

    init() throws {
        world = try BadInputWorld()
        try world.writeConnector()
        let path = world.folder.appending(path: "pipe.yaml").path
        let code = unsafe mkfifo(path, 0o600)
        try #require(code == 0)
        program = try RunningProgram(["run", "pipe.yaml"], in: world.folder)
        var descriptor: Int32 = -1
        while descriptor < 0, program.isRunning {
            descriptor = unsafe open(path, O_WRONLY | O_NONBLOCK)
        }
        try #require(descriptor >= 0, "it never read its connector")
        pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func finishLoading() throws {
        try pipe.write(contentsOf: Data(contentsOf: world.folder.appending(path: "orders.yaml")))
        try pipe.close()
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
        try loading.finishLoading()
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
        try loading.finishLoading()
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
