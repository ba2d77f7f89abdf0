internal import CYAML

/// The underlying YAML library.
public enum YAMLLibrary {
    /// The version of libyaml that is loaded, as it reports it.
    public static var version: String { unsafe String(cString: yaml_get_version_string()) }
}
