/// The extensions in Apple's push certificates.
enum AppleExtension {
    static let development = "1.2.840.113635.100.6.3.1"
    static let production = "1.2.840.113635.100.6.3.2"
    static let topics = "1.2.840.113635.100.6.3.6"
}
