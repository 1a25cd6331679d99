internal import Encodings

/// Functions that merge the values of a setting from two policies. Each returns the stricter value.
enum MergeRule {
  /// Returns the stricter of two cases. Cases are declared from the mildest to the strictest.
  static func strictest<Value: CaseIterable & Equatable>(_ left: Value, _ right: Value) -> Value {
    var strictest = left
    for value in Value.allCases where value == left || value == right { strictest = value }
    return strictest
  }

  /// Merges two optional values. If one is nil, returns the other.
  static func present<Value>(
    _ left: Value?, _ right: Value?, _ merge: (Value, Value) -> Value
  ) -> Value? {
    guard let left, let right else { return left ?? right }
    return merge(left, right)
  }

  /// Returns the smaller of two limits. 0 means no limit, so any other limit is stricter.
  static func smallestBound(_ left: Int, _ right: Int) -> Int {
    if left == 0 || right == 0 { return max(left, right) }
    return min(left, right)
  }

  /// Returns the patterns that are in both lists, in alphabetical order. If both lists are equal, keeps their order.
  static func common(_ left: [LinkPattern], _ right: [LinkPattern]) -> [LinkPattern] {
    guard left != right else { return left }
    return Set(left).intersection(right).sorted { $0.text < $1.text }
  }

  /// Merges two states: `blocked` wins over nil, and nil over `notBlocked`.
  ///
  /// A nil state follows "Send org data to other apps". It blocks if the merged policy restricts that setting, and
  /// allows if the setting is `allApps`. Nil is therefore never milder than `notBlocked`, and can win over it in any
  /// merge order.
  static func state(
    _ left: Settings.ConfigurationState?, _ right: Settings.ConfigurationState?
  ) -> Settings.ConfigurationState? {
    if left == .blocked || right == .blocked { return .blocked }
    return left == right ? left : nil
  }
}

// MARK: - Levels with a scheme

/// The levels of a setting that redirects one kind of link: to any app, one app given by its scheme, managed apps, or
/// no app.
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

/// A level of a redirect setting. If the level is `specific`, `scheme` is the scheme of the app.
struct Redirect<Level: RedirectLevel>: Hashable {
  var level: Level
  /// The scheme of the app; empty if the policy states none.
  var scheme: String

  /// Sets the level and the scheme in `settings` to those of the strictest redirect in `all`.
  static func resolve(
    _ level: WritableKeyPath<Settings, Level>, _ scheme: WritableKeyPath<Settings, String>,
    of all: [Settings], into settings: inout Settings
  ) {
    let redirects = all.map { Redirect(level: $0[keyPath: level], scheme: $0[keyPath: scheme]) }
    let strictest = strictest(of: Set(redirects))
    settings[keyPath: level] = strictest.level
    settings[keyPath: scheme] = strictest.scheme
  }

  /// Returns the strictest redirect. If redirects restrict links in different ways, returns `blocked`, because no app
  /// is certain to satisfy all of them.
  private static func strictest(of redirects: Set<Redirect>) -> Redirect {
    if let only = redirects.first, redirects.count == 1 { return only }
    let restricting = Set(redirects.map(\.effective)).filter { $0.level != .any }
    guard let only = restricting.first else { return Redirect(level: .any, scheme: "") }
    return restricting.count == 1 ? only : Redirect(level: .blocked, scheme: "")
  }

  /// The redirect as it takes effect. A scheme is removed if the level does not use it. A specific app without a valid
  /// scheme counts as blocked.
  private var effective: Redirect {
    guard level == .specific else { return Redirect(level: level, scheme: "") }
    return scheme.isURLScheme ? self : Redirect(level: .blocked, scheme: "")
  }
}
