/// A TAP 14 text: its plan and its test points.
struct TAP {
  struct Point {
    var isOK: Bool
    var number: Int
    var title: String
  }

  private(set) var plan: Int
  private(set) var points: [Point] = []
  /// What is indented by four, without the indentation.
  private(set) var subtest: [Substring] = []

  /// nil where the text has no version, no plan, or not as many points, in their order, as planned.
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
