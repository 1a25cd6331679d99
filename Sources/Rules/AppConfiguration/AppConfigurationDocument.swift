package import GraphDocuments
package import JSON
package import Model

/// One app configuration policy as its file states it.
package struct AppConfigurationDocument: Sendable {
  /// The channel by which a configuration reaches an app.
  package enum Channel: String, Sendable, CaseIterable {
    /// Through the SDK, once the account is enrolled: `targetedManagedAppConfiguration`.
    case managedApps
    /// Through MDM: `iosMobileAppConfiguration`.
    case managedDevices
  }

  /// A key, its value, and its place in the file.
  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ConfigurationValue
    package var position: Position
    /// The entry's place in the property list of `encodedSettingXml`; nil outside of one.
    package var listPosition: Position?

    /// Creates an entry.
    package init(
      key: String, value: ConfigurationValue, position: Position, listPosition: Position? = nil
    ) {
      self.key = key
      self.value = value
      self.position = position
      self.listPosition = listPosition
    }
  }

  /// The configuration's name; the file's name where it states none.
  package var displayName: String
  /// The path of the file as the user named it.
  package var file: String
  /// The place where the configuration's object begins.
  package var position: Position
  package var channel: Channel
  /// The entries in the order of the file; no key occurs twice.
  package var entries: [Entry]
  /// Whether the document is the tenant's default, which counts for a key only where nothing else is targeted.
  package var isDefault: Bool
  /// The apps and device states that a configuration for managed apps is for.
  package var targeting: Targeting
  /// The list `targetedMobileApps`: identifiers of Graph's objects, seldom bundle ids.
  package var mobileApps: [String]
  package var warnings: [AppConfigurationWarning]
  /// The properties that Graph does not document for this type, kept as they stand.
  package var unknownProperties: [JSONValue.Member]

  /// Creates a document from the parts that a reader found.
  package init(
    displayName: String, file: String, position: Position = Position(line: 1, column: 1),
    channel: Channel, entries: [Entry] = [], isDefault: Bool = false,
    targeting: Targeting = Targeting(), mobileApps: [String] = [],
    warnings: [AppConfigurationWarning] = [], unknownProperties: [JSONValue.Member] = []
  ) {
    self.displayName = displayName
    self.file = file
    self.position = position
    self.channel = channel
    self.entries = entries
    self.isDefault = isDefault
    self.targeting = targeting
    self.mobileApps = mobileApps
    self.warnings = warnings
    self.unknownProperties = unknownProperties
  }

  /// Whether the configuration is for the app of that bundle id, in any casing, in that state.
  package func targets(bundleID: String, state: ManagementState) -> Bool {
    switch channel {
    case .managedApps:
      isDefault || targeting.result(bundleID: bundleID, state: state).isTargeted
    case .managedDevices: mobileApps.contains { $0.lowercased() == bundleID.lowercased() }
    }
  }
}

// MARK: - Findings

/// The error of a file of app configurations that cannot be used, with its place. Messages never contain a value.
package typealias AppConfigurationError = DocumentError<AppConfigurationErrorCode>

/// The rules that a file can break.
package enum AppConfigurationErrorCode: String, DocumentErrorCode, CaseIterable {
  /// The text is no JSON.
  case jsonSyntax
  /// The file holds no app configuration.
  case noConfiguration
  /// An object states one name twice.
  case duplicateProperty
  /// A configuration states one key twice.
  case duplicateKey
  /// The object is something else than an app configuration for iOS.
  case otherType
  /// A property has another JSON type than Graph gives it.
  case wrongType
  /// A word is none of those that Graph lists.
  case unknownValue
  /// A value is not of the type that is stated for its key.
  case invalidValue
  /// `encodedSettingXml` is no base64 of a property list with a dictionary.
  case invalidXML
  /// A configuration is larger than a device takes.
  case tooLarge
}

extension AppConfigurationErrorCode: AppDocumentErrorCode {
  package static var noDocument: AppConfigurationErrorCode { .noConfiguration }
}

/// A probable mistake in a file of app configurations that can be used all the same. Messages never contain a
/// value.
package typealias AppConfigurationWarning = DocumentWarning<AppConfigurationWarningCode>

/// The kinds of warnings about a file of app configurations.
package enum AppConfigurationWarningCode: String, AppDocumentWarningCode, CaseIterable {
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
  package var isNote: Bool {
    switch self {
    case .opaqueApps, .emptyAssignments, .skippedFiles: true
    case .unknownProperty, .whiteSpace, .meaninglessValue, .ineffectiveKey, .noApps, .noKeys,
      .unknownToken, .literalToken, .unresolvedToken, .conflictingConfigurations, .tooMuch,
      .twoForms:
      false
    }
  }
}
