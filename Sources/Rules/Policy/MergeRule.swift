internal import Encodings

/// Functions that return the stricter of two values.
enum MergeRule {
  /// Returns the stricter of two cases: the case that is declared later.
  static func strictest<Value: CaseIterable & Equatable>(_ left: Value, _ right: Value) -> Value {
    var strictest = left
    for value in Value.allCases where value == left || value == right { strictest = value }
    return strictest
  }

  /// Merges two optional values; a missing value has no effect.
  static func present<Value>(
    _ left: Value?, _ right: Value?, _ merge: (Value, Value) -> Value
  ) -> Value? {
    guard let left, let right else { return left ?? right }
    return merge(left, right)
  }

  /// Returns the smaller bound; 0 means no bound.
  static func smallestBound(_ left: Int, _ right: Int) -> Int {
    if left == 0 || right == 0 { return max(left, right) }
    return min(left, right)
  }

  /// Returns the patterns that both lists contain, sorted. If the lists are equal, their order is kept.
  static func common(_ left: [LinkPattern], _ right: [LinkPattern]) -> [LinkPattern] {
    guard left != right else { return left }
    return Set(left).intersection(right).sorted { $0.text < $1.text }
  }

  /// Returns the first of `blocked`, nil and `notBlocked` that occurs.
  ///
  /// Nil follows "Send org data to other apps" (Send). If the merged policy restricts Send, nil blocks, unlike
  /// `notBlocked`. If the merged Send is `allApps`, nil allows, like `notBlocked`. Nil therefore always wins over
  /// `notBlocked`, in any merge order.
  static func state(
    _ left: Settings.ConfigurationState?, _ right: Settings.ConfigurationState?
  ) -> Settings.ConfigurationState? {
    if left == .blocked || right == .blocked { return .blocked }
    return left == right ? left : nil
  }
}

// MARK: - Levels with a scheme

/// A level that allows any app, one app by its scheme, managed apps, or no app.
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

/// A level, with the scheme of its app if the level is `specific`.
struct Redirect<Level: RedirectLevel>: Hashable {
  var level: Level
  /// The scheme; empty if there is none.
  var scheme: String

  /// Sets the level and the scheme to the values of the strictest redirect among `all`.
  static func resolve(
    _ level: WritableKeyPath<Settings, Level>, _ scheme: WritableKeyPath<Settings, String>,
    of all: [Settings], into settings: inout Settings
  ) {
    let redirects = all.map { Redirect(level: $0[keyPath: level], scheme: $0[keyPath: scheme]) }
    let strictest = strictest(of: Set(redirects))
    settings[keyPath: level] = strictest.level
    settings[keyPath: scheme] = strictest.scheme
  }

  /// Returns the strictest redirect. If two policies restrict in different ways, no app is certain
  /// to be allowed by both. The result is then `blocked`.
  private static func strictest(of redirects: Set<Redirect>) -> Redirect {
    if let only = redirects.first, redirects.count == 1 { return only }
    let restricting = Set(redirects.map(\.effective)).filter { $0.level != .any }
    guard let only = restricting.first else { return Redirect(level: .any, scheme: "") }
    return restricting.count == 1 ? only : Redirect(level: .blocked, scheme: "")
  }

  /// The redirect without an unused scheme. A specific app without a valid scheme counts as blocked.
  private var effective: Redirect {
    guard level == .specific else { return Redirect(level: level, scheme: "") }
    return scheme.isURLScheme ? self : Redirect(level: .blocked, scheme: "")
  }
}
