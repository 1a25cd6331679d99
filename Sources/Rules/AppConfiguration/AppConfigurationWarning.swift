public import GraphDocuments

/// A probable mistake in a file of app configurations that can be used all the same. Messages never contain a
/// value.
public typealias AppConfigurationWarning = DocumentWarning<AppConfigurationWarningCode>

/// The kinds of warnings about a file of app configurations.
public enum AppConfigurationWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// A name that is nearly the name of a known property.
  case unknownProperty
  /// White space around a key, which makes another key of it, or around a bundle id.
  case whiteSpace
  /// A value without a meaning for a key that the SDK itself reads, or the key in another casing.
  case meaninglessValue
  /// A key that the SDK itself reads where it has no effect.
  case ineffectiveKey
  /// A configuration for managed apps that names no app.
  case noApps
  /// A configuration for managed devices whose apps the export names by opaque identifiers.
  case opaqueApps
  /// A configuration that is assigned to nobody.
  case emptyAssignments
  /// A configuration without a key.
  case noKeys
  /// Braces around a word that is no token.
  case unknownToken
  /// A token in a configuration for managed apps, whose service replaces none.
  case literalToken
  /// A token for a value that nobody has told the device.
  case unresolvedToken
  /// Configurations for managed devices that state different values for one key.
  case conflictingConfigurations
  /// Configurations of one account and app that exceed the size that a device delivers.
  case tooMuch
  /// Both `settings` and `encodedSettingXml` hold keys.
  case twoForms
  /// Files of a folder that hold no app configuration.
  case skippedFiles

  /// Whether the warning is only a note. Every export for managed devices names its apps by opaque identifiers; the
  /// other notes are as with policies.
  public var isNote: Bool {
    switch self {
    case .opaqueApps, .emptyAssignments, .skippedFiles: true
    case .unknownProperty, .whiteSpace, .meaninglessValue, .ineffectiveKey, .noApps, .noKeys,
      .unknownToken, .literalToken, .unresolvedToken, .conflictingConfigurations, .tooMuch,
      .twoForms:
      false
    }
  }
}
