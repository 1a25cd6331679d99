/// The stricter of two values.
enum Join {
  /// The case that is listed later.
  static func strictest<Value: CaseIterable & Equatable>(_ left: Value, _ right: Value) -> Value {
    var strictest = left
    for value in Value.allCases where value == left || value == right { strictest = value }
    return strictest
  }

  /// Two values as `join` has it; the only one, where the other is absent.
  static func present<Value>(
    _ left: Value?, _ right: Value?, _ join: (Value, Value) -> Value
  ) -> Value? {
    guard let left, let right else { return left ?? right }
    return join(left, right)
  }

  /// The smaller, where 0 means no bound.
  static func smallestBound(_ left: Int, _ right: Int) -> Int {
    if left == 0 || right == 0 { return max(left, right) }
    return min(left, right)
  }

  /// What both lists hold, sorted; a list as it is, where both are the same.
  static func common(_ left: [LinkPattern], _ right: [LinkPattern]) -> [LinkPattern] {
    guard left != right else { return left }
    return Set(left).intersection(right).sorted { $0.text < $1.text }
  }

  /// `blocked`, then absent, then `notBlocked`.
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
