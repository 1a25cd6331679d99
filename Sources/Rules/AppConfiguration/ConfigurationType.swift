internal import GraphDocuments
internal import JSON

/// The kind of Graph object that a file holds, as far as its annotation and its properties tell.
enum ConfigurationType {
  /// `targetedManagedAppConfiguration`.
  case managedApps
  /// `iosMobileAppConfiguration`.
  case managedDevices
  /// `defaultManagedAppProtection`, whose `customSettings` go to all users whom no other policy targets.
  case tenantDefault
  /// Something else: its description, and its place.
  case other(String, Position)
  case unstated

  static let names = ["targetedManagedAppConfiguration", "iosMobileAppConfiguration"]

  /// Judges an object.
  ///
  /// - Parameter root: The document around the object.
  init(of object: JSONValue, in root: JSONValue) {
    guard let type = ObjectType(of: object, in: root) else {
      self = .unstated
      return
    }
    self =
      switch type.kind {
      case .managedAppConfiguration: .managedApps
      case .managedDeviceConfiguration: .managedDevices
      case .tenantDefault: .tenantDefault
      case .targeting: .unstated
      case .iOSPolicy, .otherPolicy, .conditionalAccessPolicy, .other:
        .other(type.words() + type.use, type.position)
      }
  }
}
