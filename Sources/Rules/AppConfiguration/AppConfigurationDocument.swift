package import Encodings
package import GraphDocuments
package import Model

/// An app configuration policy as its file states it, without the effect of other policies.
package struct AppConfigurationDocument: Sendable {
  /// The service that delivers a configuration to apps.
  package enum Channel: String, Sendable, CaseIterable {
    /// The MAM service delivers the configuration through the SDK, once the account is enrolled. Graph's type is
    /// `targetedManagedAppConfiguration`.
    case managedApps
    /// MDM delivers the configuration. Graph's type is `iosMobileAppConfiguration`.
    case managedDevices
  }

  package struct Entry: Sendable, Hashable {
    package var key: String
    package var value: ConfigurationValue
    package var position: Position
    /// The entry's position in the property list that `encodedSettingXml` contains; nil if the entry is not from that
    /// list.
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
  /// The configuration's name. If the file states none, it is the name of the file.
  package var displayName: String
  package var file: String
  package var position: Position
  package var channel: Channel
  /// The entries in file order, without duplicate keys.
  package var entries: [Entry]
  /// Whether this is the tenant's default configuration. The default's value for a key applies only if no other
  /// configuration targeted at the app has the key.
  package var isDefault: Bool
  /// The apps and device states that a configuration for managed apps targets.
  package var targeting: Targeting
  /// The elements of `targetedMobileApps`. They are usually ids of Graph objects, rarely bundle ids.
  package var mobileApps: [String]
  package var assignments: [Assignment]?
  package var warnings: [AppConfigurationWarning]
  /// The properties that Graph does not document for a configuration, kept unchanged.
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

  /// Returns whether the configuration targets the app. The case of the bundle id does not matter.
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

/// An error in a file of app configurations that makes the file unusable. Messages contain no values of configurations.
package typealias AppConfigurationError = DocumentError<AppConfigurationErrorCode>

package typealias AppConfigurationErrors = DocumentErrors<AppConfigurationErrorCode>

package enum AppConfigurationErrorCode: String, DocumentErrorCode, CaseIterable {
  case jsonSyntax
  case noConfiguration
  /// An object has two properties with the same name.
  case duplicateProperty
  case duplicateKey
  /// The object is not an app configuration for iOS.
  case otherType
  /// A property has another JSON type than Graph documents for it.
  case wrongType
  /// A property has a value that Graph does not document for it.
  case unknownValue
  /// A setting's value does not have the type that the setting states for its key.
  case invalidValue
  /// `encodedSettingXml` is not a property list in base64 whose root is a dictionary.
  case invalidXML
  /// A configuration is larger than the maximum size for a device.
  case tooLarge
}

extension AppConfigurationErrorCode: AppDocumentErrorCode {
  package static var noDocument: AppConfigurationErrorCode { .noConfiguration }
}

/// A warning about a probable mistake in a file of app configurations. The file remains usable. Messages contain no
/// values of configurations.
package typealias AppConfigurationWarning = DocumentWarning<AppConfigurationWarningCode>

package enum AppConfigurationWarningCode: String, AppDocumentWarningCode, CaseIterable {
  /// A property that Graph does not document, if it has a value or its name is similar to a documented one.
  case unknownProperty
  /// White space around a key or a bundle id. A key with white space is a different key.
  case whiteSpace
  /// For a key that the SDK itself reads: an invalid value, or a wrong casing of the key.
  case meaninglessValue
  /// A key that the SDK itself reads, but that has no effect in this kind of configuration.
  case ineffectiveKey
  /// A configuration for managed apps that lists no app, so it reaches none.
  case noApps
  /// A configuration for managed devices that identifies its apps only by ids of Graph objects, not by bundle ids.
  case opaqueApps
  case emptyAssignments
  case noKeys
  /// A word in double braces that is not a token.
  case unknownToken
  /// A token that stays unchanged, because the service replaces it only in configurations of the other channel.
  case literalToken
  /// A token whose value is unknown for the device, so it stays unchanged.
  case unresolvedToken
  /// Several configurations for managed devices that have different values for a key, so none of them applies.
  case conflictingConfigurations
  /// The configurations for an account in an app together exceed the size limit, so none of them is delivered.
  case tooMuch
  /// A configuration that has keys in `settings` as well as in `encodedSettingXml`.
  case twoForms
  /// Files in a folder that were not read, because they contain no app configuration.
  case skippedFiles

  /// Whether the warning has only the severity of a note. Ids of Graph objects in place of bundle ids (``opaqueApps``)
  /// are a note, because every export for managed devices has them.
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
