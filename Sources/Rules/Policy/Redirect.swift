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

/// A level, and the scheme of the app that the level means where it is the specific one.
struct Redirect<Level: RedirectLevel>: Hashable {
  var level: Level
  /// The scheme of the app; empty means none.
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

  /// The strictest redirect. Two policies that restrict in different ways leave no app that both grant for certain:
  /// blocked.
  private static func strictest(of redirects: Set<Redirect>) -> Redirect {
    if let only = redirects.first, redirects.count == 1 { return only }
    let restricting = Set(redirects.map(\.effective)).filter { $0.level != .any }
    guard let only = restricting.first else { return Redirect(level: .any, scheme: "") }
    return restricting.count == 1 ? only : Redirect(level: .blocked, scheme: "")
  }

  /// The redirect without parts that have no effect: a scheme beside another level, and a specific app that nothing
  /// can reach.
  private var effective: Redirect {
    guard level == .specific else { return Redirect(level: level, scheme: "") }
    return URLScheme.isValid(scheme) ? self : Redirect(level: .blocked, scheme: "")
  }
}
