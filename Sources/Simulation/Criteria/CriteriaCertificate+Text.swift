internal import Foundation
package import Scenario

extension CriteriaCertificate {
  /// For people. Ends with a line break.
  package func text(_ palette: Palette = .plain) -> String {
    var lines: [String] = []
    for stage in Criterion.Stage.allCases {
      let entries = entries.filter { $0.criterion.stage == stage }
      guard !entries.isEmpty else { continue }
      lines.append(palette.strong(stage.title))
      for entry in entries { lines += entry.lines(palette) }
      lines.append("")
    }
    lines.append(summary(palette))
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ palette: Palette) -> String {
    let parts = Verdict.allCases.compactMap { verdict -> String? in
      let count = count(of: verdict)
      return count == 0 ? nil : verdict.paint(palette)("\(count) \(verdict.rawValue)")
    }
    let whose = bundle.map { " for \($0)" } ?? ""
    let number = "\(entries.count) \(entries.count == 1 ? "criterion" : "criteria")"
    return "\(number)\(whose): \(parts.joined(separator: ", ")), in \(duration.inSeconds) s"
  }
}

extension CriteriaCertificate.Verdict {
  fileprivate func paint(_ palette: Palette) -> Palette.Paint {
    switch self {
    case .passed: palette.good
    case .failed: palette.bad
    case .notRun, .notCovered: palette.faint
    }
  }
}

extension CriteriaCertificate.Entry {
  fileprivate func lines(_ palette: Palette) -> [String] {
    let id = criterion.id.padding(toLength: 10, withPad: " ", startingAt: 0)
    let word = verdict.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
    let time = checks.isEmpty || verdict == .notRun ? "      " : duration.inSeconds + " s"
    let head = "  \(palette.strong(id)) \(verdict.paint(palette)(word)) \(time)  \(criterion.text)"
    var lines = [head]
    for check in checks where !check.isPassed && check.misfit == nil {
      lines.append("    " + palette.bad([check.title, check.place].compactMap(\.self).joined()))
      lines += check.complaints.map { "      " + $0 }
    }
    let count = checks.count { $0.misfit != nil }
    for why in misfits {
      let share = verdict == .notRun ? "" : "\(count) of \(checks.count) cases not run: "
      lines.append("    " + palette.faint(share + why))
    }
    return lines
  }
}

extension CriteriaCertificate.Check {
  fileprivate var place: String? { file.map { " (\($0))" } }
}

extension Duration {
  /// With two decimals.
  var inSeconds: String {
    let hundredths = Int((self / .milliseconds(10)).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
