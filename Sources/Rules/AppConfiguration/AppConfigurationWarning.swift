public import GraphDocuments

/// What looks wrong in a file of app configurations that can be used all the same. What a message tells is never a
/// value.
public typealias AppConfigurationWarning = DocumentWarning<AppConfigurationWarningCode>

/// What there is to warn about.
public enum AppConfigurationWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// A name that is nearly the name of a known property.
  case unknownProperty
  /// White space around a key, which makes another key of it, or around a bundle id.
  case whiteSpace
  /// A configuration for managed apps that names no app.
  case noApps
  /// A configuration for managed devices whose apps the export tells by identifiers that say nothing.
  case opaqueApps
  /// A configuration that is assigned to nobody.
  case emptyAssignments
  /// A configuration without a key.
  case noKeys
  /// Braces around a word that is no token.
  case unknownToken
  /// A token in a configuration for managed apps, whose service replaces none.
  case literalToken
  /// A token that stands for something which nobody has told the device.
  case unresolvedToken
  /// Configurations for managed devices that say different things of one key.
  case conflictingConfigurations
  /// Configurations of one account and app that are more than a device delivers.
  case tooMuch
  /// Both `settings` and `encodedSettingXml` hold keys.
  case twoForms
  /// Files of a folder that hold no app configuration.
  case skippedFiles

  /// Every export for managed devices tells its apps so; the rest is as with policies.
  public var isNote: Bool {
    switch self {
    case .opaqueApps, .emptyAssignments, .skippedFiles: true
    default: false
    }
  }
}
