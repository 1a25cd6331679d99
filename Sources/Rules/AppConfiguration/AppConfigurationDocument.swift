public import GraphDocuments
public import JSON
public import Model

/// One app configuration policy as its file states it.
public struct AppConfigurationDocument: Sendable {
  /// The channel by which a configuration reaches an app.
  public enum Channel: String, Sendable, CaseIterable {
    /// Through the SDK, once the account is enrolled: `targetedManagedAppConfiguration`.
    case managedApps
    /// Through MDM: `iosMobileAppConfiguration`.
    case managedDevices
  }

  /// A key, its value, and its place in the file.
  public struct Entry: Sendable, Hashable {
    public var key: String
    public var value: ConfigurationValue
    public var position: Position
    /// The entry's place in the property list of `encodedSettingXml`; nil outside of one.
    public var listPosition: Position?

    /// Creates an entry.
    public init(
      key: String, value: ConfigurationValue, position: Position, listPosition: Position? = nil
    ) {
      self.key = key
      self.value = value
      self.position = position
      self.listPosition = listPosition
    }
  }

  /// The configuration's name; the file's name where it states none.
  public var displayName: String
  /// The path of the file as the user named it.
  public var file: String
  /// The place where the configuration's object begins.
  public var position: Position
  public var channel: Channel
  /// The entries in the order of the file; no key occurs twice.
  public var entries: [Entry]
  /// Whether the document is the tenant's default, which counts for a key only where nothing else is targeted.
  public var isDefault: Bool
  /// The apps and device states that a configuration for managed apps is for.
  public var targeting: Targeting
  /// The list `targetedMobileApps`: identifiers of Graph's objects, seldom bundle ids.
  public var mobileApps: [String]
  public var warnings: [AppConfigurationWarning]
  /// The properties that Graph does not document for this type, kept as they stand.
  public var unknownProperties: [JSONValue.Member]

  /// Creates a document from the parts that a reader found.
  public init(
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
  public func targets(bundleID: String, state: ManagementState) -> Bool {
    switch channel {
    case .managedApps:
      isDefault || targeting.result(bundleID: bundleID, state: state).isTargeted
    case .managedDevices: mobileApps.contains { $0.lowercased() == bundleID.lowercased() }
    }
  }
}
