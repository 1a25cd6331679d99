/// An attribute of a device in Microsoft Entra's directory, as filters for devices name it.
///
/// Source: Microsoft Learn, "Conditional Access: Filter for devices", supported operators and device properties.
public enum DirectoryAttribute: String, Sendable, CaseIterable {
  case deviceId, displayName, deviceOwnership, enrollmentProfileName, isCompliant, manufacturer
  case mdmAppId, model, operatingSystem, operatingSystemVersion, physicalIds, profileType
  case systemLabels, trustType
  case extensionAttribute1, extensionAttribute2, extensionAttribute3, extensionAttribute4
  case extensionAttribute5, extensionAttribute6, extensionAttribute7, extensionAttribute8
  case extensionAttribute9, extensionAttribute10, extensionAttribute11, extensionAttribute12
  case extensionAttribute13, extensionAttribute14, extensionAttribute15

  /// The kind of question that an attribute allows.
  public enum Kind: Sendable {
    case identifier, word, text
    /// Several strings; a filter asks for one of them as a whole.
    case collection
  }

  /// The kind of question that the attribute allows.
  public var kind: Kind {
    switch self {
    case .deviceId, .mdmAppId: .identifier
    case .deviceOwnership, .isCompliant, .profileType, .trustType: .word
    case .physicalIds, .systemLabels: .collection
    case .displayName, .enrollmentProfileName, .manufacturer, .model, .operatingSystem,
      .operatingSystemVersion:
      .text
    case .extensionAttribute1, .extensionAttribute2, .extensionAttribute3, .extensionAttribute4,
      .extensionAttribute5, .extensionAttribute6, .extensionAttribute7, .extensionAttribute8,
      .extensionAttribute9, .extensionAttribute10, .extensionAttribute11, .extensionAttribute12,
      .extensionAttribute13, .extensionAttribute14, .extensionAttribute15:
      .text
    }
  }

  /// Whether an administrator fills the attribute in, so that only some devices have it.
  public var isExtension: Bool { rawValue.hasPrefix("extensionAttribute") }
}

/// The facts about the device's entry in the directory that were stated from outside.
public struct DirectoryEntry: Sendable, Equatable {
  /// Whether the device is registered; nil where that follows from MDM and ``attributes``.
  public var isRegistered: Bool?
  public var attributes: [DirectoryAttribute: [String]]

  /// An entry; without arguments, one about which nothing was stated.
  public init(isRegistered: Bool? = nil, attributes: [DirectoryAttribute: [String]] = [:]) {
    self.isRegistered = isRegistered
    self.attributes = attributes
  }
}
