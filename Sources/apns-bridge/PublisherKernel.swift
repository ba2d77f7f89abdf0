internal import Delivery
internal import EventLoop

extension LinuxKernel {
    /// The kernel of a thread that publishes events; watches a descriptor, if there is one.
    static func publisher(watching descriptor: Int32? = nil) throws(KafkaFailure) -> LinuxKernel {
        do throws(KernelError) {
            var kernel = try LinuxKernel(capacity: 4)
            if let descriptor { try kernel.watch(descriptor, token: 1) }
            return kernel
        } catch {
            throw KafkaFailure(
                code: "ERRNO_\(error.code)", operation: "publish events",
                detail: error.description)
        }
    }
}
