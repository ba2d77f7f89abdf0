import Testing

@testable import KafkaLogin

@Suite struct `A search for AWS credentials` {
    @Test func `names all that was searched when there are none`() {
        #expect(
            searchResult(["HOME": nowhere])
                == "unavailable: no AWS credentials: AWS_ACCESS_KEY_ID is not set;"
                + " AWS_WEB_IDENTITY_TOKEN_FILE is not set; /nonexistent/.aws/credentials does not"
                + " exist; /nonexistent/.aws/config does not exist;"
                + " AWS_CONTAINER_CREDENTIALS_FULL_URI is not set;"
                + " http://169.254.169.254: no route")
        #expect(
            searchResult(["AWS_EC2_METADATA_DISABLED": "true", "AWS_ACCESS_KEY_ID": ""]).hasSuffix(
                "neither AWS_CONFIG_FILE nor HOME is set; AWS_CONTAINER_CREDENTIALS_FULL_URI is"
                    + " not set; AWS_EC2_METADATA_DISABLED is true"))
    }

    @Test(arguments: [
        (
            ["AWS_ACCESS_KEY_ID": "AKID"],
            "refused: AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not"
        ),
        (
            ["AWS_SECRET_ACCESS_KEY": "s"],
            "refused: AWS_SECRET_ACCESS_KEY is set, but AWS_ACCESS_KEY_ID is not"
        ),
        (
            keys.merging(["AWS_SESSION_TOKEN": "two words"]) { $1 },
            "refused: AWS credentials of AWS_ACCESS_KEY_ID: the credentials have characters that"
                + " none have"
        ),
        (
            keys.merging(["AWS_CREDENTIAL_EXPIRATION": "2026-01-01T10:00:00Z"]) { $1 },
            "refused: AWS credentials of AWS_ACCESS_KEY_ID: the credentials expired at"
                + " 2026-01-01T10:00:00.000Z: is the clock right?"
        ),
        (
            keys.merging(["AWS_CREDENTIAL_EXPIRATION": "2026-01-01T10:00:00+01:00"]) { $1 },
            "refused: AWS_CREDENTIAL_EXPIRATION is not a time in UTC: write 2026-01-01T10:00:00Z"
        ),
        (
            ["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone"],
            "refused: AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not"
        ),
        (
            ["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone", "AWS_ROLE_ARN": role],
            "unavailable: /gone cannot be read: no such file or directory"
        ),
        (
            ["HOME": nowhere, "AWS_PROFILE": "push"],
            "refused: no AWS profile 'push': AWS_ACCESS_KEY_ID is not set;"
                + " AWS_WEB_IDENTITY_TOKEN_FILE is not set; /nonexistent/.aws/credentials does not"
                + " exist; /nonexistent/.aws/config does not exist"
        ),
    ])
    func `ends with what is half set`(environment: [String: String], expected: String) {
        #expect(searchResult(environment) == expected)
    }

    @Test func `begins with the variables of the process`() {
        let all = keys.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": "/gone"]) { $1 }
        #expect(searchResult(all) == "AWS credentials of AWS_ACCESS_KEY_ID")
    }

    @Test(arguments: [
        "sso_session = s", "credential_process = /bin/keys", "role_arn = r\nsource_profile = b",
        "role_arn = r\ncredential_source = Environment",
    ])
    func `does not follow what the files of AWS's tools may lead to, and says so`(
        line: String
    ) throws {
        let name = line.split(separator: "\n").last?.prefix { $0 != " " } ?? ""
        try withFile("[default]\nregion = eu-west-1\n\(line)\n") { path in
            let found = searchResult([
                "AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": nowhere,
            ])
            #expect(
                found.hasPrefix(
                    "refused: AWS profile 'default' in \(path): '\(name)' is not supported"),
                "\(found)")
        }
    }

    @Test(arguments: [
        "role_arn = r\nsource_profile = b", "sso_session = s", "credential_process = /bin/keys",
        "role_arn = r",
    ])
    func `does not take the keys in one file when the other leads to another identity`(
        lines: String
    ) throws {
        let keys = "[default]\naws_access_key_id = A\naws_secret_access_key = s\n"
        let name = lines.split(separator: "\n").last?.prefix { $0 != " " } ?? ""
        try withFile(keys) { credentials in
            try withFile("[default]\n\(lines)\n") { config in
                let found = searchResult([
                    "AWS_CONFIG_FILE": config, "AWS_SHARED_CREDENTIALS_FILE": credentials,
                ])
                #expect(
                    found.hasPrefix(
                        "refused: AWS profile 'default' in \(config): '\(name)' is not supported:"
                            + " name a profile in AWS_PROFILE"), "\(found)")
            }
        }
    }

    @Test func `takes the keys in one file when the other has only other settings`() throws {
        let keys = "[default]\naws_access_key_id = A\naws_secret_access_key = s\n"
        try withFile(keys) { credentials in
            try withFile("[default]\nregion = eu-west-1\n") { config in
                let found = searchResult([
                    "AWS_CONFIG_FILE": config, "AWS_SHARED_CREDENTIALS_FILE": credentials,
                ])
                #expect(found == "AWS profile 'default' in \(credentials)")
            }
        }
    }

    @Test(arguments: [
        #"[profile "my team"]"#, "[ profile 'my team' ]", "[profile\tmy team]",
    ])
    func `takes a profile whose name has a space`(section: String) throws {
        let text = "\(section)\naws_access_key_id = A\naws_secret_access_key = s\n"
        try withFile(text) { path in
            let found = searchResult([
                "AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": nowhere,
                "AWS_PROFILE": "my team",
            ])
            #expect(found == "AWS profile 'my team' in \(path)")
        }
    }

    @Test func `takes the profile that a variable names, from either file`() throws {
        let text = """
            # a comment
            [default]
            aws_access_key_id = AKID

            [profile push]
            s3 =
              aws_access_key_id = nested
            aws_access_key_id=AKIAPUSH
            AWS_SECRET_ACCESS_KEY = a=b
            [empty]
            """
        try withFile(text) { path in
            let files = ["AWS_CONFIG_FILE": path, "AWS_SHARED_CREDENTIALS_FILE": nowhere]
            func of(_ profile: String) -> String {
                searchResult(files.merging(["AWS_PROFILE": profile]) { $1 })
            }
            #expect(of("push") == "AWS profile 'push' in \(path)")
            #expect(
                searchResult(files)
                    == "refused: AWS profile 'default' in \(path) has aws_access_key_id, but no"
                    + " aws_secret_access_key")
            #expect(of("empty").hasPrefix("refused: no AWS profile 'empty'"))
            let credentials = ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_CONFIG_FILE": nowhere]
            #expect(
                searchResult(credentials.merging(["AWS_PROFILE": "empty"]) { $1 })
                    .contains("AWS profile 'empty' in \(path) has no aws_access_key_id;"))
        }
    }
}
