/// What is wrong with a template, and where.
struct TemplateFault: Error, Equatable {
    /// In Unicode scalars from the start of the string.
    var offset: Int
    var message: String
    var remedy: String?
}
