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
