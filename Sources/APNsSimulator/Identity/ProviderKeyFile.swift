internal import TLS
internal import YAML

/// Provider keys that a simulator knows besides its own, as a file describes them.
///
/// So that a connector is tested with the key that it will be run with, with a key for one
/// environment, or with keys that may not share a connection.
public struct ProviderKeyFile: Sendable {
    /// The path, as it was given.
    public let path: String
    /// The keys in their order.
    public let keys: [ProviderKey]
    /// Those of them that can sign, because the file with the key holds the private one.
    private let signers: [String: SigningKey]

    /// Reads a file; the keys that it names lie in its folder, unless their paths say otherwise.
    public static func load(path: String) throws(SimulatorError) -> ProviderKeyFile {
        let bytes: [UInt8]
        do throws(InputFile.Failure) {
            bytes = try InputFile.read(path: path)
        } catch {
            throw SimulatorError(
                .keys,
                "\(path): cannot be read: \(error.reason); choose a different file with --keys")
        }
        do throws(YAMLError) {
            return try ProviderKeyReader(file: path).read(bytes)
        } catch {
            throw SimulatorError(.keys, error.description)
        }
    }

    init(path: String, keys: [ProviderKey], signers: [String: SigningKey]) {
        self.path = path
        self.keys = keys
        self.signers = signers
    }

    /// A provider token of one of the keys, issued at `seconds` since 1970.
    public func providerToken(
        keyID: String, issuedAt seconds: Int64
    ) throws(SimulatorError) -> [UInt8] {
        guard let key = keys.first(where: { $0.keyID == [UInt8](keyID.utf8) }) else {
            let names = keys.map { String(decoding: $0.keyID, as: UTF8.self) }
            throw SimulatorError(
                .keys,
                "\(path): unknown key '\(keyID)'; known keys: "
                    + names.joined(separator: ", "))
        }
        guard let signer = signers[keyID] else {
            throw SimulatorError(
                .keys,
                "\(path): the key '\(keyID)' is a public key, which cannot sign; "
                    + "name the file of the private key")
        }
        return try SimulatorIdentity.providerToken(
            keyID: keyID, teamID: String(decoding: key.teamID, as: UTF8.self), key: signer,
            issuedAt: seconds)
    }
}
