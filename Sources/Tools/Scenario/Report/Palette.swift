/// The marks of words in a text report. Plain unless a caller that knows the terminal sets others.
public struct Palette: Sendable {
  /// A function that marks a text.
  public typealias Paint = @Sendable (String) -> String

  /// The mark of success.
  public var good: Paint
  /// The mark of failure.
  public var bad: Paint
  /// The mark of verdicts, rules and titles.
  public var strong: Paint
  /// The mark of details.
  public var faint: Paint

  /// Creates a palette of four marks.
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
