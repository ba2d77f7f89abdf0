extension CertificateAuthority {
    /// Issues a client certificate in the form of Apple's push certificates.
    ///
    /// `apnsTopics` are the values of `apns-topic` that it may push to; nil omits the extension, as
    /// in old certificates. It is valid from yesterday until `validFor` seconds from now, which may
    /// be negative.
    public func issueClient(
        bundleID: String, apnsTopics: [String]? = nil, isForDevelopment: Bool = true,
        isForProduction: Bool = true, validFor: Int = 396 * 86_400
    ) throws(TLSError) -> Issued {
        let key = try KeyHandle.generateP256()
        let name = "Apple Push Services: \(bundleID)"
        let draft = try CertificateDraft(
            commonName: String(name.prefix(64)), userID: bundleID, key: key, validFor: validFor)
        try draft.add(.basicConstraints, "critical,CA:FALSE")
        try draft.add(.keyUsage, "critical,digitalSignature")
        try draft.add(.extendedKeyUsage, "clientAuth")
        if isForDevelopment { try draft.add(objectID: AppleExtension.development, der: DER.null) }
        if isForProduction { try draft.add(objectID: AppleExtension.production, der: DER.null) }
        if let apnsTopics {
            let list = apnsTopics.flatMap { topic in
                DER.text(topic) + DER.value(DER.sequence, DER.text(Self.service(topic, bundleID)))
            }
            try draft.add(objectID: AppleExtension.topics, der: DER.value(DER.sequence, list))
        }
        return Issued(certificatePEM: try sign(draft), keyPEM: try key.privatePEM())
    }

    /// Apple's name for the service of a topic: `app`, `voip`, `complication`.
    private static func service(_ topic: String, _ bundleID: String) -> String {
        topic.hasPrefix(bundleID + ".") ? String(topic.dropFirst(bundleID.count + 1)) : "app"
    }
}
