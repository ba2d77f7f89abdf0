import Delivery
import Testing

@Suite struct `A SHA-256 digest` {
    /// The lengths around the end of a block; digests by Python's hashlib.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            String(repeating: "a", count: 55),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 56),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"
        ),
        (
            String(repeating: "a", count: 63),
            "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"
        ),
        (
            String(repeating: "a", count: 64),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
        (
            String(repeating: "a", count: 119),
            "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"
        ),
        (
            String(repeating: "é", count: 100),
            "f42ec48e1e4b487e590e0b3d4e58437c8327efa855d769709f4942a4f73a7eb6"
        ),
    ])
    func `is what others compute`(_ text: String, _ digest: String) {
        var bytes = Array(text.utf8)
        SHA256.replaceByHexDigest(&bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == digest)
    }
}
