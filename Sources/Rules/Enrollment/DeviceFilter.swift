package import Directory
package import Model

/// The device filter of a conditional access policy. It limits the policy to some devices.
///
/// Source: Microsoft Learn, "Conditional Access: Filter for devices".
package struct DeviceFilter: Sendable {
  /// The effect of the filter on devices that meet its rule.
  package enum Mode: String, Sendable, CaseIterable {
    case include, exclude
  }

  package var mode: Mode
  /// The rule; nil if it cannot be parsed.
  package var rule: DirectoryRule?

  /// Returns whether the filter lets the policy apply to the device; nil if unknown.
  package func admits(_ device: DirectoryDevice) -> Bool? {
    rule?.result(for: device).isMet.map { $0 == (mode == .include) }
  }
}

// MARK: - Device

/// The device as seen by Microsoft Entra's directory.
package struct DirectoryDevice: Sendable, Equatable, RuleSubject {
  package let isRegistered: Bool
  private let values: [DirectoryAttribute: [String]]

  /// Creates a device. Values in its directory entry replace the values from MDM and from the device itself.
  package init(
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

  /// Intune's application id (Microsoft Learn, "Verify first-party Microsoft applications in sign-in reports").
  private static let intune = "0000000a-0000-0000-c000-000000000000"

  /// Returns the value of an attribute. If the device is not registered, the value is null.
  package func value(of attribute: RuleAttribute) -> RuleValue {
    guard let attribute = DirectoryAttribute(rawValue: attribute.name) else { return .null }
    // Source: Microsoft Learn, "Policy behavior with filter for devices".
    if attribute.isExtension, isRegistered, !hasExtensionAttributes { return .unavailable }
    if let strings = values[attribute] { return .strings(strings) }
    return isRegistered && Self.always.contains(attribute) ? .unknown : .null
  }

  /// The attributes that every registered device has.
  private static let always: Set<DirectoryAttribute> = [.deviceId, .displayName, .deviceOwnership]

  package var isCompliant: Bool { holds(.isCompliant, "true") }

  /// Whether rules can read the device's extension attributes, because the device is managed, compliant or hybrid
  /// joined.
  fileprivate var hasExtensionAttributes: Bool {
    holds(.mdmAppId, Self.intune) || isCompliant || holds(.trustType, "serverad")
  }

  private func holds(_ attribute: DirectoryAttribute, _ word: String) -> Bool {
    values[attribute]?.contains { $0.lowercased() == word } ?? false
  }
}
