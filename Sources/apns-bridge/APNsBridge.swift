/// The command line: one file per verb.
@main
struct APNsBridge {
    static func main() {}
}
