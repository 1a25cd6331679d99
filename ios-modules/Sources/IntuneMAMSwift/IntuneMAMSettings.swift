internal import AppProcess
public import Foundation
internal import Synchronization

/// Settings of the SDK that an app makes while it runs, kept over launches.
///
/// Nothing is drawn here and the device has its own authority: colours and overrides are kept, and have no effect.
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

  /// Whether the app lets the SDK report to Microsoft; the device's own `telemetryDisabled` decides.
  open class var telemetryEnabled: Bool {
    get { telemetry.withLock { $0 } }
    set {
      telemetry.withLock { $0 = newValue }
      SDK.shared.withoutEffect("telemetryEnabled", "the scenario's `telemetryDisabled` decides")
    }
  }

  /// Keys whose values the SDK's logs leave out; the device takes those of Info.plist and the scenario.
  open class var valuesToScrubFromLogging: [Any]? {
    get { scrubbed.withLock { $0 } }
    set {
      let keys = newValue?.compactMap { $0 as? String }
      scrubbed.withLock { $0 = keys }
      SDK.shared.withoutEffect(
        "valuesToScrubFromLogging", "the scenario's `valuesToScrubFromLogging` decides")
    }
  }

  /// The authorities that the SDK would ask for tokens, the first first.
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

  /// A colour that is none is ignored, as the headers say.
  private static func setColor(_ color: String?, _ key: String) {
    if let color, !color.isEmpty, color.firstMatch(of: /^#[0-9a-fA-F]{6}$/) == nil { return }
    set(color, key)
  }

  private static func set(_ value: String?, _ key: String) {
    SDK.shared.withoutEffect(key, "it is kept, and nothing is drawn or fetched by it")
    saved.withLock { saved in
      var settings = saved ?? SavedSettings()
      settings.values[key] = value.flatMap { $0.isEmpty ? nil : $0 }
      settings.save()
      saved = settings
    }
  }
}

/// The settings in a file of the container.
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
