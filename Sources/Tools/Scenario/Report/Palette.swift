/// How a text report marks its words. Plain unless somebody who knows the terminal says otherwise.
public struct Palette: Sendable {
  public typealias Paint = @Sendable (String) -> String

  /// What passed.
  public var good: Paint
  /// What did not.
  public var bad: Paint
  /// Verdicts, rules, and titles.
  public var strong: Paint
  /// What one reads last.
  public var faint: Paint

  public init(
    good: @escaping Paint, bad: @escaping Paint, strong: @escaping Paint, faint: @escaping Paint
  ) {
    self.good = good
    self.bad = bad
    self.strong = strong
    self.faint = faint
  }

  public static let plain = Palette(good: { $0 }, bad: { $0 }, strong: { $0 }, faint: { $0 })
}
