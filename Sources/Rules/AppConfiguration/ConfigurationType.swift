internal import GraphDocuments
internal import JSON
internal import Model

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

  init(of object: JSONValue) {
    if let annotation = TypeAnnotation(of: object) {
      self = Self.stated(annotation)
    } else if let setting = Self.policySetting(object) {
      self = .other("an app protection policy, as `\(setting.name)` tells", setting.position)
    } else if object["customSettings"] != nil {
      self = .managedApps
    } else if object["encodedSettingXml"] != nil || object["targetedMobileApps"] != nil {
      self = Self.device(object)
    } else if object["settings"]?.array?.first?["appConfigKey"] != nil {
      self = .managedDevices
    } else {
      self = .unstated
    }
  }

  /// A setting of a policy among the object's properties; nil where there is none. Policies have custom settings, too.
  private static func policySetting(_ object: JSONValue) -> JSONValue.Member? {
    object.members?.first { Setting(rawValue: $0.name)?.holder == .policy }
  }

  /// The type of an object without annotation. Lists of one platform's configurations carry none; Android's
  /// configurations have properties of their own.
  private static func device(_ object: JSONValue) -> ConfigurationType {
    let telling = object.members?.first { ["packageId", "payloadJson"].contains($0.name) }
    return telling.map {
      .other("an app configuration for Android, as `\($0.name)` tells", $0.position)
    } ?? .managedDevices
  }

  private static func stated(_ annotation: TypeAnnotation) -> ConfigurationType {
    switch annotation.name {
    case "targetedManagedAppConfiguration": .managedApps
    case "iosMobileAppConfiguration": .managedDevices
    case "defaultManagedAppProtection": .tenantDefault
    case let name: .other(annotation.words(others[name]), annotation.position)
    }
  }

  private static let others = [
    "androidForWorkMobileAppConfiguration": "an app configuration for Android",
    "androidManagedStoreAppConfiguration": "an app configuration for Android",
    "iosManagedAppProtection": "an app protection policy",
    "androidManagedAppProtection": "an app protection policy for Android",
  ]
}
