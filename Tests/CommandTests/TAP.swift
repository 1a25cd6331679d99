/// A TAP 14 text: its plan and test points.
struct TAP {
  struct Point {
    var isOK: Bool
    var number: Int
    var title: String
  }

  private(set) var plan: Int
  private(set) var points: [Point] = []
  /// The lines that are indented by four spaces, without the indentation.
  private(set) var subtest: [Substring] = []

  /// Parses the lines. Fails if the text lacks a version or a plan, or if its points differ from
  /// the plan in number or order.
  init?(_ lines: [Substring], isSubtest: Bool = false) {
    var lines = lines[...]
    if !isSubtest, lines.popFirst() != "TAP version 14" { return nil }
    guard let plan = lines.popFirst()?.wholeMatch(of: /1\.\.(\d+)/) else { return nil }
    self.plan = Int(plan.1) ?? 0
    for line in lines {
      if line.hasPrefix("    ") {
        subtest.append(line.dropFirst(4))
      } else if let point = line.wholeMatch(of: /(not )?ok (\d+) - (.*)/) {
        points.append(
          Point(isOK: point.1 == nil, number: Int(point.2) ?? 0, title: String(point.3)))
      }
    }
    guard points.map(\.number) == Array(1...self.plan) else { return nil }
  }
}
