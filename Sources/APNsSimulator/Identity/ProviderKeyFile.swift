internal import TLS
internal import YAML

/// Additional provider keys of a simulator, read from a file.
/// They allow testing a connector with its production key, with a key for one environment, or with
/// keys that must not share a connection.
/// environment, or with keys that may not share a connection.
public struct ProviderKeyFile: Sendable {
    /// The path, as given.
    public let path: String
    /// The keys, in order.
    public let keys: [ProviderKey]
    /// The keys that can sign, because their files contain the private key.
    private let signers: [String: SigningKey]

    /// Reads a file; paths in it are relative to its folder.
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
