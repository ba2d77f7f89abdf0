/// What is wrong with a template, and where in its text.
struct TemplateFault: Error, Equatable {
    /// In Unicode scalars from the beginning of the text.
    var offset: Int
    var message: String
    var remedy: String?
}
