internal import JSON

/// The apps that one declaration lets a device show and launch.
///
/// Source: github.com/apple/device-management, `app.settings.yaml`.
struct AppSettings: Sendable, Equatable {
  /// The bundle identifiers of the allowed apps; nil: every app.
  var allowed: Set<String>?
  var denied: Set<String>

  /// - Parameter payload: A payload whose keys are valid.
  /// - Returns: nil where a setting is for other devices.
  init?(_ payload: JSONValue, _ checker: inout PayloadChecker) {
    let lists = payload["Allowed"]
    for key in PayloadSchema.macOSLists {
      if let value = lists?[key] { checker.fail(value.position, "`\(key)` is for macOS only") }
    }
    let names = { (key: String) in lists?[key]?.array.map { Set($0.compactMap(\.string)) } }
    allowed = names("AllowedApps")
    denied = names("DeniedApps") ?? []
    if !checker.errors.isEmpty { return nil }
  }
}
