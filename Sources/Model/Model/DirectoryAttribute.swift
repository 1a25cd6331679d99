/// What Microsoft Entra's directory records of a device, as filters for devices name it.
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

  /// What can be asked of it.
  public enum Kind: Sendable {
    case identifier, word, text
    /// Several strings, of which one as a whole is asked for.
    case collection
  }

  public var kind: Kind {
    switch self {
    case .deviceId, .mdmAppId: .identifier
    case .deviceOwnership, .isCompliant, .profileType, .trustType: .word
    case .physicalIds, .systemLabels: .collection
    default: .text
    }
  }

  /// Whether an administrator fills it in, and only some devices have it.
  public var isExtension: Bool { rawValue.hasPrefix("extensionAttribute") }
}

/// What somebody has told of the device's entry in the directory.
public struct DirectoryEntry: Sendable, Equatable {
  /// nil: as the rest makes it, MDM and ``attributes``.
  public var isRegistered: Bool?
  public var attributes: [DirectoryAttribute: [String]]

  public init(isRegistered: Bool? = nil, attributes: [DirectoryAttribute: [String]] = [:]) {
    self.isRegistered = isRegistered
    self.attributes = attributes
  }
}
