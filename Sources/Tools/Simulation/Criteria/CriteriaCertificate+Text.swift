internal import Encodings
internal import Foundation
package import Scenario

extension CriteriaCertificate {
  /// The certificate for people. Ends with a line break.
  package func text(_ palette: Palette = .plain) -> String {
    var lines: [String] = []
    var told: [String: String] = [:]
    for stage in Criterion.Stage.allCases {
      let entries = entries.filter { $0.criterion.stage == stage }
      guard !entries.isEmpty else { continue }
      lines.append(palette.strong(stage.title))
      for entry in entries { lines += entry.lines(palette, &told) }
      lines.append("")
    }
    if let general {
      lines += [palette.faint("Not tried of any: \(general.escapingUnprintable())"), ""]
    }
    lines.append(summary(palette))
    return lines.joined(separator: "\n") + "\n"
  }

  private func summary(_ palette: Palette) -> String {
    let parts = Verdict.allCases.compactMap { verdict -> String? in
      let count = count(of: verdict)
      return count == 0 ? nil : verdict.paint(palette)("\(count) \(verdict.rawValue)")
    }
    let whose = bundle.map { " for \($0.escapingUnprintable())" } ?? ""
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
  /// The lines of one criterion.
  ///
  /// - Parameter told: the complaints that stand further up, each with the criterion that it stands at.
  fileprivate func lines(_ palette: Palette, _ told: inout [String: String]) -> [String] {
    let id = criterion.id.padding(toLength: 10, withPad: " ", startingAt: 0)
    let word = verdict.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
    let time = duration == .zero ? "      " : duration.inSeconds + " s"
    let head = "  \(palette.strong(id)) \(verdict.paint(palette)(word)) \(time)  \(criterion.text)"
    var lines = [head]
    for check in checks where !check.isPassed && check.misfit == nil {
      let complaints = check.complaints
      if let place = told[complaints.joined(separator: "\n")], check.isAboutBundle {
        lines.append("    " + palette.bad("the bundle: see \(place)"))
        continue
      }
      told[complaints.joined(separator: "\n")] = criterion.id
      lines.append("    " + palette.bad((check.heading ?? "").escapingUnprintable()))
      lines += complaints.map { "      " + $0.escapingUnprintable() }
    }
    return lines + untried.map { "    " + palette.faint("not tried: \($0.escapingUnprintable())") }
  }
}

extension CriteriaCertificate.Check {
  /// The title of the check, and its scenario file; nil where nothing was checked.
  var heading: String? { title.map { title in title + (file.map { " (\($0))" } ?? "") } }
}
