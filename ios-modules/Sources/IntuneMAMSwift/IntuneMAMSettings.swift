internal import AppProcess
public import Foundation
internal import Synchronization

/// The SDK's runtime settings.
///
/// Colours, and overrides of the token authority and the client, persist across launches but have no effect: nothing is
/// drawn, and the device has its own token authority.
open class IntuneMAMSettings: NSObject, @unchecked Sendable {
  open class var backgroundColor: String? {
    get { text("backgroundColor") }
    set { setColor(newValue, "backgroundColor") }
  }
  open class var foregroundColor: String? {
    get { text("foregroundColor") }
    set { setColor(newValue, "foregroundColor") }
  }
  open class var accentColor: String? {
    get { text("accentColor") }
    set { setColor(newValue, "accentColor") }
  }
  open class var secondaryBackgroundColor: String? {
    get { text("secondaryBackgroundColor") }
    set { setColor(newValue, "secondaryBackgroundColor") }
  }
  open class var secondaryForegroundColor: String? {
    get { text("secondaryForegroundColor") }
    set { setColor(newValue, "secondaryForegroundColor") }
  }
  open class var aadAuthorityUriOverride: String? {
    get { text("aadAuthorityUriOverride") }
    set { set(newValue, "aadAuthorityUriOverride") }
  }
  open class var aadRedirectUriOverride: String? {
    get { text("aadRedirectUriOverride") }
    set { set(newValue, "aadRedirectUriOverride") }
  }
  open class var aadClientIdOverride: String? {
    get { text("aadClientIdOverride") }
    set { set(newValue, "aadClientIdOverride") }
  }

  /// Whether the app permits telemetry to Microsoft. The property has no effect: the device follows the scenario's
  /// `telemetryDisabled`.
  open class var telemetryEnabled: Bool {
    get { telemetry.withLock { $0 } }
    set {
      telemetry.withLock { $0 = newValue }
      SDK.shared.withoutEffect("telemetryEnabled", "the scenario's `telemetryDisabled` decides")
    }
  }

  /// The keys whose values the SDK omits from its logs. The property has no effect: the device uses the keys in
  /// Info.plist and in the scenario.
  open class var valuesToScrubFromLogging: [Any]? {
    get { scrubbed.withLock { $0 } }
    set {
      let keys = newValue?.compactMap { $0 as? String }
      scrubbed.withLock { $0 = keys }
      SDK.shared.withoutEffect(
        "valuesToScrubFromLogging", "the scenario's `valuesToScrubFromLogging` decides")
    }
  }

  /// Returns the token authority of the SDK, as an array: the override if there is one, otherwise Microsoft's public
  /// cloud.
  open class func aadAuthorityUris(forIdentity identity: String?) -> [Any]? {
    [aadAuthorityUriOverride ?? "https://login.microsoftonline.com/common"]
  }

  private static let telemetry = Mutex(true)
  private static let scrubbed = Mutex<[String]?>(nil)
  private static let saved = Mutex<SavedSettings?>(nil)

  private static func text(_ key: String) -> String? {
    saved.withLock { saved in
      let settings = saved ?? SavedSettings()
      saved = settings
      return settings.values[key]
    }
  }

  /// Stores a colour. Invalid colours are ignored, as the headers specify.
  private static func setColor(_ color: String?, _ key: String) {
    if let color, !color.isEmpty, color.firstMatch(of: /^#[0-9a-fA-F]{6}$/) == nil { return }
    set(color, key)
  }

  private static func set(_ value: String?, _ key: String) {
    SDK.shared.withoutEffect(
      key, "the value is stored, but neither sign-ins nor the interface use it")
    saved.withLock { saved in
      var settings = saved ?? SavedSettings()
      settings.values[key] = value.flatMap { $0.isEmpty ? nil : $0 }
      settings.save()
      saved = settings
    }
  }
}

/// The settings file in the container.
private struct SavedSettings {
  var values: [String: String]

  private static let file = URL(fileURLWithPath: "Library/IntuneMAMSettings.json")

  init() {
    let data = try? Data(contentsOf: Self.file)
    values = data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0) } ?? [:]
  }

  func save() {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try? encoder.encode(values).write(to: Self.file, options: .atomic)
  }
}
