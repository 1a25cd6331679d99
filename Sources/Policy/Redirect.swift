/// A setting that sends data to any app, to one app by its scheme, to managed apps or to none.
protocol RedirectLevel: CaseIterable, Hashable {
  static var any: Self { get }
  static var specific: Self { get }
  static var blocked: Self { get }
}

extension Settings.DialerLevel: RedirectLevel {
  static var any: Self { .allApps }
  static var specific: Self { .customApp }
}

extension Settings.MessagingRedirect: RedirectLevel {
  static var any: Self { .anyApp }
  static var specific: Self { .specificApps }
}

/// A level, and the scheme of the app that it means where it is the specific one.
struct Redirect<Level: RedirectLevel>: Hashable {
  var level: Level
  /// Empty means none.
  var scheme: String

  /// Sets the level and the scheme to the strictest of `all`.
  static func settle(
    _ level: WritableKeyPath<Settings, Level>, _ scheme: WritableKeyPath<Settings, String>,
    of all: [Settings], into settings: inout Settings
  ) {
    let redirects = all.map { Redirect(level: $0[keyPath: level], scheme: $0[keyPath: scheme]) }
    let strictest = strictest(of: Set(redirects))
    settings[keyPath: level] = strictest.level
    settings[keyPath: scheme] = strictest.scheme
  }

  /// Two policies that name different apps leave none that both grant: blocked. A specific app without a
  /// scheme blocks as it is. Beside a level that is stricter the scheme is kept, so that a third policy
  /// with another scheme blocks whenever it comes.
  private static func strictest(of redirects: Set<Redirect>) -> Redirect {
    if let only = redirects.first, redirects.count == 1 { return only }
    var level = Level.any
    for redirect in redirects { level = Join.strictest(level, redirect.effectiveLevel) }
    guard level != .any, level != .blocked else { return Redirect(level: level, scheme: "") }
    let schemes = Set(redirects.filter { $0.level != .any }.map(\.scheme)).subtracting([""])
    guard schemes.count < 2 else { return Redirect(level: .blocked, scheme: "") }
    return Redirect(level: level, scheme: schemes.first ?? "")
  }

  private var effectiveLevel: Level { level == .specific && scheme.isEmpty ? .blocked : level }
}
