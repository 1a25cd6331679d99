/// The device state that conditional launch checks.
public struct DevicePosture: Sendable, Hashable {
  public var osVersion: Version
  /// The model identifier, such as `iPhone14,5`, in any casing.
  public var model: String
  public var isJailbroken: Bool
  /// The level that the threat defence app last reported; nil if there is no such app, or if it has reported none.
  public var threatLevel: ThreatLevel?
  /// Whether a device PIN is set.
  public var hasPIN: Bool
  public var biometrics: Biometrics
  public var isMDMEnrolled: Bool
  /// Whether the app can reach the service.
  public var isOnline: Bool

  /// The threat level reported by a threat defence app, ordered from the safest to the most dangerous.
  public enum ThreatLevel: String, Sendable, CaseIterable {
    case secured, low, medium, high
  }

  /// The biometrics that the user has enrolled.
  public enum Biometrics: String, Sendable, CaseIterable {
    case none, touchID, faceID
  }

  /// Creates a posture. The defaults describe a healthy device without PIN and MDM.
  public init(
    osVersion: Version, model: String = "", isJailbroken: Bool = false,
    threatLevel: ThreatLevel? = nil, hasPIN: Bool = false, biometrics: Biometrics = .none,
    isMDMEnrolled: Bool = false, isOnline: Bool = true
  ) {
    self.osVersion = osVersion
    self.model = model
    self.isJailbroken = isJailbroken
    self.threatLevel = threatLevel
    self.hasPIN = hasPIN
    self.biometrics = biometrics
    self.isMDMEnrolled = isMDMEnrolled
    self.isOnline = isOnline
  }
}

/// A device attribute in Microsoft Entra's directory. The raw value is its name in filters for devices.
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

  /// The kind of comparison that an attribute supports.
  public enum Kind: Sendable {
    case identifier, word, text
    /// Several strings. A filter compares each string as a whole.
    case collection
  }

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

  /// Whether a device has the attribute only after an administrator has set it.
  public var isExtension: Bool { rawValue.hasPrefix("extensionAttribute") }
}

/// The properties of the device's entry in Microsoft Entra's directory, as the scenario or command states them.
/// Properties that are not stated are nil or absent.
public struct DirectoryEntry: Sendable, Equatable {
  /// Whether the device is registered. If nil, the MDM enrollment and ``attributes`` determine it.
  public var isRegistered: Bool?
  public var attributes: [DirectoryAttribute: [String]]

  /// Creates an entry. Omitted properties are not stated.
  public init(isRegistered: Bool? = nil, attributes: [DirectoryAttribute: [String]] = [:]) {
    self.isRegistered = isRegistered
    self.attributes = attributes
  }
}

/// A version of dotted numbers, such as `19.7.6`. Missing numbers count as 0: `17` is `17.0.0`.
public struct Version: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The numbers, without zeros at the end.
  private let numbers: [Int]

  public init(_ numbers: Int...) { self.init(numbers: numbers) }

  /// Reads a version of one to eight numbers separated by dots; nil for other text. Surrounding white space
  /// is ignored.
  public init?(_ text: String) {
    let trimmed = text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    let parts = String(trimmed).split(separator: ".", omittingEmptySubsequences: false)
    guard (1...8).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for part in parts {
      guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part) else {
        return nil
      }
      numbers.append(number)
    }
    self.init(numbers: numbers)
  }

  private init(numbers: [Int]) {
    var numbers = numbers
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  /// The first number; 0 if there is none.
  public var major: Int { numbers.first ?? 0 }

  public static func < (left: Version, right: Version) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  /// The version with at least two numbers: `17.0`.
  public var description: String {
    let shown = numbers + Array(repeating: 0, count: max(0, 2 - numbers.count))
    return shown.map(String.init).joined(separator: ".")
  }
}
