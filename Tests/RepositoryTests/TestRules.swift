/// What a test may not do, and how it is named.
enum TestRules {
    static func sleepOffences(in file: SwiftFile) -> [String] {
        file.offences(
            #"\b(u|nano|clock_nano)?sleep\s*\("#, "a test never sleeps: wait for what happens")
    }

    /// Every test whose name is not a sentence between backticks.
    static func nameOffences(in file: SwiftFile) -> [String] {
        var isTest = false
        var found: [String] = []
        for (index, line) in file.code.enumerated() {
            if line.contains("@Test") { isTest = true }
            guard isTest, let location = line.firstRange(of: "func ") else { continue }
            isTest = false
            let isRaw = line[location.upperBound...].hasPrefix("`")
            let name = file.lines[index].split(separator: "`").dropFirst().first ?? ""
            if !isRaw || !name.contains(" ") {
                found.append(file.offence(index, "the name of the test is no sentence"))
            }
        }
        return found
    }
}
