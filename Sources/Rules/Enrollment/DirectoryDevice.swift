public import Model

/// The device as Microsoft Entra's directory knows it.
public struct DirectoryDevice: Sendable, Equatable {
  /// The directory's value of one attribute.
  public enum Value: Sendable, Equatable {
    /// The directory has no value.
    case null
    /// The directory has a value that nobody has told.
    case unknown
    /// A single string, or the strings of a collection.
    case strings([String])
  }

  public let isRegistered: Bool
  private let values: [DirectoryAttribute: [String]]

  /// Creates a device.
  ///
  /// - Parameter entry: The directory's entry, which takes precedence over the facts from MDM and the device itself.
  public init(
    _ entry: DirectoryEntry = DirectoryEntry(), isMDMEnrolled: Bool = false,
    osVersion: String = "", model: String = ""
  ) {
    isRegistered = entry.isRegistered ?? (isMDMEnrolled || !entry.attributes.isEmpty)
    guard isRegistered else {
      values = [:]
      return
    }
    var values: [DirectoryAttribute: [String]] = [
      .manufacturer: ["Apple"], .model: [model], .operatingSystem: ["iOS"],
      .operatingSystemVersion: [osVersion], .profileType: ["RegisteredDevice"],
      .trustType: ["Workplace"], .isCompliant: [isMDMEnrolled ? "True" : "False"],
    ]
    if isMDMEnrolled { values[.mdmAppId] = [Self.intune] }
    self.values = values.merging(entry.attributes) { $1 }
  }

  /// The application id of Microsoft Intune (Microsoft Learn, "Verify first-party Microsoft applications in sign-in
  /// reports").
  public static let intune = "0000000a-0000-0000-c000-000000000000"

  /// The value of the attribute. All attributes of a device that is not registered are null.
  public subscript(attribute: DirectoryAttribute) -> Value {
    if let strings = values[attribute] { return .strings(strings) }
    return isRegistered && Self.always.contains(attribute) ? .unknown : .null
  }

  /// The attributes that every registered device has.
  private static let always: Set<DirectoryAttribute> = [.deviceId, .displayName, .deviceOwnership]

  public var isCompliant: Bool { holds(.isCompliant, "true") }

  /// Whether the device's extension attributes can be evaluated: it is managed, compliant or hybrid joined.
  var hasExtensionAttributes: Bool {
    holds(.mdmAppId, Self.intune) || isCompliant || holds(.trustType, "serverad")
  }

  private func holds(_ attribute: DirectoryAttribute, _ word: String) -> Bool {
    values[attribute]?.contains { $0.lowercased() == word } ?? false
  }
}
