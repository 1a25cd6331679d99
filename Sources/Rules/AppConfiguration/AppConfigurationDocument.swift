package import Encodings
package import GraphDocuments
package import Model

/// One app configuration policy as stated in its file.
package struct AppConfigurationDocument: Sendable {
  /// The channel by which a configuration reaches an app.
  package enum Channel: String, Sendable, CaseIterable {
    /// Through the SDK, once the account is enrolled: `targetedManagedAppConfiguration`.
    case managedApps
    /// Through MDM: `iosMobileAppConfiguration`.
    case managedDevices
  }

  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ConfigurationValue
    package var position: Position
    /// The position in the property list of `encodedSettingXml`; nil if the entry is not from such a list.
    package var listPosition: Position?

    package init(
      key: String, value: ConfigurationValue, position: Position, listPosition: Position? = nil
    ) {
      self.key = key
      self.value = value
      self.position = position
      self.listPosition = listPosition
    }
  }

  package var id: String?
  /// The configuration's name; the file's name if the file states none.
  package var displayName: String
  package var file: String
  package var position: Position
  package var channel: Channel
  /// The entries in file order, without duplicate keys.
  package var entries: [Entry]
  /// Whether this is the tenant's default. The default applies to a key only if no other targeted configuration
  /// specifies the key.
  package var isDefault: Bool
  /// The apps and device states that a configuration for managed apps targets.
  package var targeting: Targeting
  /// The list `targetedMobileApps`: identifiers of Graph objects, seldom bundle ids.
  package var mobileApps: [String]
  package var assignments: [Assignment]?
  package var warnings: [AppConfigurationWarning]
  /// The properties that Graph does not document for this type, unchanged.
  package var unknownProperties: [JSONValue.Member]

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

  /// Ignores the case of the bundle id.
  package func targets(bundleID: String, state: ManagementState) -> Bool {
    switch channel {
    case .managedApps:
      isDefault || targeting.result(bundleID: bundleID, state: state).isTargeted
    case .managedDevices: mobileApps.contains { $0.lowercased() == bundleID.lowercased() }
    }
  }
}

extension AppConfigurationDocument: AssignableDocument {}

// MARK: - Diagnostics

/// An error that makes a file of app configurations unusable. Messages never contain a value.
package typealias AppConfigurationError = DocumentError<AppConfigurationErrorCode>

package typealias AppConfigurationErrors = DocumentErrors<AppConfigurationErrorCode>

package enum AppConfigurationErrorCode: String, DocumentErrorCode, CaseIterable {
  case jsonSyntax
  case noConfiguration
  /// An object contains the same name twice.
  case duplicateProperty
  case duplicateKey
  /// The object is not an app configuration for iOS.
  case otherType
  /// A property's JSON type differs from Graph's.
  case wrongType
  /// A property's value is not in Graph's list.
  case unknownValue
  /// A value does not match the type stated for its key.
  case invalidValue
  /// `encodedSettingXml` is not the base64 encoding of a property list with a dictionary.
  case invalidXML
  /// A configuration exceeds the maximum size for a device.
  case tooLarge
}

extension AppConfigurationErrorCode: AppDocumentErrorCode {
  package static var noDocument: AppConfigurationErrorCode { .noConfiguration }
}

/// A probable mistake in a file of app configurations that remains usable. Messages never contain a value.
package typealias AppConfigurationWarning = DocumentWarning<AppConfigurationWarningCode>

package enum AppConfigurationWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// An undocumented property that has a value or resembles a documented property.
  case unknownProperty
  /// White space around a key, which makes it a different key, or around a bundle id.
  case whiteSpace
  /// An invalid value for a key that the SDK itself reads, or such a key in another casing.
  case meaninglessValue
  /// A key that the SDK itself reads but that has no effect in this configuration.
  case ineffectiveKey
  /// A configuration for managed apps that names no app.
  case noApps
  /// A configuration for managed devices that identifies apps only by opaque identifiers.
  case opaqueApps
  case emptyAssignments
  case noKeys
  /// Braces around a word that is not a token.
  case unknownToken
  /// A token that the service replaces only in configurations of the other channel.
  case literalToken
  /// A token without a known value for the device.
  case unresolvedToken
  /// Configurations for managed devices with different values for one key.
  case conflictingConfigurations
  /// Configurations of one account and app that together exceed the maximum size for delivery.
  case tooMuch
  /// Both `settings` and `encodedSettingXml` contain keys.
  case twoForms
  /// Files of a folder that contain no app configuration.
  case skippedFiles

  /// Whether the warning is only a note. Opaque identifiers of apps are a note, because every export for managed
  /// devices has them.
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
