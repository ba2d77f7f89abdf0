internal import Encoding

/// The regions of Amazon Web Services.
enum AWSRegion {
    /// Those that are known: new ones are added now and then. Source: botocore, `partitions.json`.
    static let known = [
        "af-south-1", "ap-east-1", "ap-east-2", "ap-northeast-1", "ap-northeast-2",
        "ap-northeast-3", "ap-south-1", "ap-south-2", "ap-southeast-1", "ap-southeast-2",
        "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7",
        "ca-central-1", "ca-west-1", "cn-north-1", "cn-northwest-1", "eu-central-1",
        "eu-central-2", "eu-isoe-west-1", "eu-north-1", "eu-south-1", "eu-south-2", "eu-west-1",
        "eu-west-2", "eu-west-3", "eusc-de-east-1", "il-central-1", "me-central-1", "me-south-1",
        "me-west-1", "mx-central-1", "sa-east-1", "sa-west-1", "us-east-1", "us-east-2",
        "us-gov-east-1", "us-gov-west-1", "us-iso-east-1", "us-iso-west-1", "us-isob-east-1",
        "us-isob-west-1", "us-isof-east-1", "us-isof-south-1", "us-west-1", "us-west-2",
    ]

    /// True for text of the form of a region's name: `eu-west-1`, `us-gov-east-1`.
    static func isWellFormed(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (3...4).contains(parts.count), text.utf8.count <= 32 else { return false }
        let areWords = parts.dropLast().allSatisfy { part in
            part.utf8.count >= 2 && part.utf8.allSatisfy { (97...122).contains($0) }
        }
        let number = parts.last ?? ""
        return areWords && (1...2).contains(number.utf8.count)
            && number.utf8.allSatisfy(\.isDigit)
    }
}
