/// The strictest of two values.
enum Join {
  /// The value that is listed later among the cases.
  static func strictest<Value: CaseIterable & Equatable>(_ left: Value, _ right: Value) -> Value {
    var strictest = left
    for value in Value.allCases where value == left || value == right { strictest = value }
    return strictest
  }

  /// The result of `join`; the only value, where the other is absent.
  static func present<Value>(
    _ left: Value?, _ right: Value?, _ join: (Value, Value) -> Value
  ) -> Value? {
    guard let left, let right else { return left ?? right }
    return join(left, right)
  }

  /// The smaller bound, where 0 means no bound.
  static func smallestBound(_ left: Int, _ right: Int) -> Int {
    if left == 0 || right == 0 { return max(left, right) }
    return min(left, right)
  }

  /// The patterns that both lists hold, sorted; a list as it is, where both are equal.
  static func common(_ left: [LinkPattern], _ right: [LinkPattern]) -> [LinkPattern] {
    guard left != right else { return left }
    return Set(left).intersection(right).sorted { $0.text < $1.text }
  }

  /// The first state of `blocked`, absent and `notBlocked` that occurs.
  ///
  /// An absent state follows Send, and so blocks wherever the merged policy restricts Send, which
  /// `notBlocked` would not. Where the merged Send is `allApps`, an absent state allows as `notBlocked`
  /// does, so that absent may win there too, and the order of merging makes no difference.
  static func state(
    _ left: Settings.ConfigurationState?, _ right: Settings.ConfigurationState?
  ) -> Settings.ConfigurationState? {
    if left == .blocked || right == .blocked { return .blocked }
    return left == right ? left : nil
  }
}

// MARK: - Levels with a scheme

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
