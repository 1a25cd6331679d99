internal import Scenario

extension CriteriaCertificate {
  /// The certificate as JUnit XML: a suite for each stage, a test case for each criterion.
  package var junit: String {
    var xml = XMLWriter()
    xml.element(
      "testsuites",
      [
        ("name", "sluice criteria"), ("tests", "\(entries.count)"),
        ("failures", "\(count(of: .failed))"), ("time", duration.inSeconds),
      ]
    ) { xml in
      for stage in Criterion.Stage.allCases {
        let entries = entries.filter { $0.criterion.stage == stage }
        if !entries.isEmpty { Self.write(entries, of: stage, to: &xml) }
      }
    }
    return xml.text
  }

  private static func write(
    _ entries: [Entry], of stage: Criterion.Stage, to xml: inout XMLWriter
  ) {
    let skipped = entries.count { [.notRun, .notCovered].contains($0.verdict) }
    xml.element(
      "testsuite",
      [
        ("name", stage.title), ("tests", "\(entries.count)"),
        ("failures", "\(entries.count { $0.verdict == .failed })"), ("errors", "0"),
        ("skipped", "\(skipped)"),
      ]
    ) { xml in
      for entry in entries { entry.write(to: &xml) }
    }
  }
}

extension CriteriaCertificate.Entry {
  fileprivate func write(to xml: inout XMLWriter) {
    xml.element(
      "testcase",
      [
        ("name", "\(criterion.id) \(criterion.text)"), ("classname", criterion.stage.title),
        ("time", duration.inSeconds),
      ]
    ) { xml in
      switch verdict {
      case .passed: break
      case .failed:
        let complaints = checks.flatMap(\.complaints)
        xml.element(
          "failure", [("message", complaints.first ?? "failed"), ("type", "expectation")],
          text: complaints.joined(separator: "\n"))
      case .notRun: xml.element("skipped", [("message", untried.joined(separator: "; "))])
      case .notCovered: xml.element("skipped", [("message", "no scenario shows it")])
      }
      let lines = output
      guard !lines.isEmpty else { return }
      xml.element("system-out", [], text: lines.joined(separator: "\n"))
    }
  }
  /// The lines of what was tried, step by step, and of what was not.
  private var output: [String] {
    let tried = checks.flatMap { check -> [String] in
      [check.heading].compactMap(\.self) + check.details.map { "  " + $0 }
    }
    return tried + untried.map { "not tried: \($0)" }
  }
}
