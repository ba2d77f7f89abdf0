internal import Encoding
internal import Spelling

/// Reads `aws_msk_iam`: a login with the identity that AWS gives to the process.
extension KafkaLoginBlock {
    func readAWS() -> KafkaLoginSettings? {
        let region = checkedRegion()
        let role = checkedRole()
        guard let region else { return nil }
        let environment = resolver.environment.filter { name, value in
            !value.isEmpty && (name.hasPrefix("AWS_") || name == "HOME")
        }
        return .awsMSK(
            KafkaLoginSettings.AWSMSK(region: region, roleARN: role, environment: environment))
    }

    private func checkedRegion() -> String? {
        guard let setting = setting("aws_msk_iam.region"), let region = setting.text else {
            return nil
        }
        if AWSRegion.known.contains(region) { return region }
        let near = Suggestion.nearest(to: region, among: AWSRegion.known)
        let remedy = near.map { "did you mean '\($0)'?" }
        guard AWSRegion.isWellFormed(region) else {
            findings.error(
                setting.node, "'region' is not the name of a region of AWS",
                remedy ?? "write the region of the cluster, such as eu-west-1")
            return nil
        }
        findings.warning(
            setting.node, "'\(region)' is not a known region of AWS",
            remedy ?? "write the region of the cluster, such as eu-west-1")
        return region
    }

    private func checkedRole() -> String? {
        guard let setting = setting("aws_msk_iam.role_arn"), let role = setting.text else {
            return nil
        }
        if !Self.isRole(role) {
            findings.error(
                setting.node, "'role_arn' is not the ARN of a role",
                "write arn:aws:iam::123456789012:role/NAME")
        }
        return role
    }

    /// True for `arn:PARTITION:iam::ACCOUNT:role/NAME`, where the name may have a path.
    private static func isRole(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "arn", parts[1].hasPrefix("aws"), parts[2] == "iam",
            parts[3].isEmpty, parts[4].utf8.count == 12,
            parts[4].utf8.allSatisfy(\.isDigit), text.utf8.count <= 2048
        else { return false }
        let name = parts[5].utf8.dropFirst("role/".utf8.count)
        return parts[5].hasPrefix("role/") && !name.isEmpty
            && name.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }
}
