internal import Encodings
internal import Foundation
package import Scenario

package struct CriteriaCertificate: Sendable {
  /// The certificate's entries, in the order of the criteria.
  package var entries: [Entry]
  /// The bundle id of the app under test; nil for the simulator's own apps.
  package var bundle: String?
  /// The real time from reading the scenarios to the last result.
  package var duration: Duration

  /// Creates the certificate for `criteria`.
  ///
  /// - Parameters:
  ///   - bundle: The bundle id of the app under test; nil for the simulator's own apps.
  ///   - checks: The checks with the ids of their criteria.
  package init(
    of criteria: [Criterion], for bundle: String?, _ checks: [(criterion: String, check: Check)],
    duration: Duration
  ) {
    entries = criteria.map { Entry($0, isForStandIn: bundle != nil) }
    self.bundle = bundle
    self.duration = duration
    for (criterion, check) in checks {
      guard let index = entries.firstIndex(where: { $0.criterion.id == criterion }) else {
        continue
      }
      entries[index].checks.append(check)
    }
  }

  package struct Entry: Sendable {
    package var criterion: Criterion
    package var checks: [Check] = []
    /// The part of the criterion that no case can demonstrate for this app; nil if there is none.
    private let beyond: String?

    /// Creates an entry for `criterion`, without checks.
    ///
    /// - Parameter isForStandIn: Whether the ready-made guest stands in for the user's own app.
    init(_ criterion: Criterion, isForStandIn: Bool) {
      self.criterion = criterion
      beyond = isForStandIn ? criterion.untried : nil
    }

    package var verdict: Verdict {
      let ran = checks.filter { $0.misfit == nil }
      if checks.isEmpty { return .notCovered }
      if ran.isEmpty { return .notRun }
      return ran.allSatisfy(\.isPassed) ? .passed : .failed
    }

    package var duration: Duration { checks.reduce(.zero) { $0 + $1.duration } }

    /// The reasons why parts of the criterion were not tried, without duplicates.
    fileprivate var untried: [String] {
      let misfits = checks.compactMap(\.misfit).reduce(into: [String]()) { reasons, why in
        if !reasons.contains(why) { reasons.append(why) }
      }
      let hasRun = checks.contains { $0.misfit == nil && !$0.isAboutBundle }
      return misfits + (hasRun ? [beyond].compactMap(\.self) : [])
    }
  }

  package enum Verdict: String, Sendable, CaseIterable {
    case passed, failed
    /// The criterion was not run, because the app or this installation lacks a prerequisite.
    case notRun = "not run"
    /// No scenario demonstrates the criterion.
    case notCovered = "not covered"
  }

  /// The result of one case, of the walk, or of an examination of the app's bundle.
  package struct Check: Sendable {
    package let kind: Kind
    package let duration: Duration

    package enum Kind: Sendable {
      case ran(Report, CaseRecording, file: String)
      case walked(WalkReport)
      case misfit(String)
      case defect(String)

      package static func ran(_ recording: CaseRecording, of file: String) -> Kind {
        var builder = ReportBuilder()
        builder.add(recording, file: file)
        return .ran(builder.report, recording, file: file)
      }
    }

    package init(_ kind: Kind, duration: Duration) {
      self.kind = kind
      self.duration = duration
    }

    fileprivate var misfit: String? { if case .misfit(let why) = kind { why } else { nil } }

    /// Whether the check is about the bundle: a defect that was found without a run.
    fileprivate var isAboutBundle: Bool { if case .defect = kind { true } else { false } }

    fileprivate var isPassed: Bool {
      switch kind {
      case .ran(let report, _, _): report.isPassed
      case .walked(let report): report.failure == nil
      case .misfit, .defect: false
      }
    }

    /// The title of the check, such as the name of the case; nil if nothing was checked.
    package var title: String? {
      switch kind {
      case .ran(let report, _, _): report.suites.first?.cases.first?.name
      case .walked(let report): "a random walk of \(report.steps) steps"
      case .misfit: nil
      case .defect: "the bundle"
      }
    }

    package var recording: CaseRecording? {
      if case .ran(_, let recording, _) = kind { recording } else { nil }
    }

    package var file: String? { if case .ran(_, _, let file) = kind { file } else { nil } }

    /// One sentence for each reason why the check did not pass; empty for a case that did not run.
    fileprivate var complaints: [String] {
      switch kind {
      case .ran(let report, _, _): report.complaints
      case .walked(let report): report.failure.map { ["\($0.invariant): \($0.sentence)"] } ?? []
      case .misfit: []
      case .defect(let sentence): [sentence]
      }
    }

    /// The steps of a case as reports show them, or the defect of a bundle; empty for other checks.
    fileprivate var details: [String] {
      switch kind {
      case .ran(let report, _, _):
        report.suites.flatMap(\.cases).flatMap(\.steps).flatMap(\.report)
      case .walked, .misfit: []
      case .defect(let sentence): [sentence]
      }
    }
  }

  /// The part of the user's own app that the criteria do not test, with the reason; nil for the simulator's own apps.
  private var general: String? {
    bundle.map {
      "the program of `\($0)`, because the ready-made guest carries out the steps instead"
    }
  }

  package func count(of verdict: Verdict) -> Int { entries.count { $0.verdict == verdict } }

  /// Whether at least one criterion has passed, and none has failed.
  package var holds: Bool { count(of: .failed) == 0 && count(of: .passed) > 0 }
}

// MARK: - Text

extension CriteriaCertificate {
  /// Returns the certificate as text, with a final line break.
  package func text(_ palette: Palette = .plain, _ detail: ReportDetail = .titles) -> String {
    var lines: [String] = []
    var reported: [String: String] = [:]
    for stage in Criterion.Stage.allCases {
      let entries = entries.filter {
        $0.criterion.stage == stage && (detail != .failures || $0.verdict == .failed)
      }
      guard !entries.isEmpty else { continue }
      lines.append(palette.strong(stage.title))
      for entry in entries { lines += entry.lines(palette, &reported) }
      lines.append("")
    }
    if let general, detail != .failures {
      lines += [palette.faint("Not tried for any criterion: \(general.escapingUnprintable())"), ""]
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
  /// Returns the lines about one criterion.
  ///
  /// - Parameter reported: The complaints that were already printed, each with the id of its criterion.
  fileprivate func lines(_ palette: Palette, _ reported: inout [String: String]) -> [String] {
    let id = criterion.id.padding(toLength: 10, withPad: " ", startingAt: 0)
    let word = verdict.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
    let time = duration == .zero ? "      " : duration.inSeconds + " s"
    let head = "  \(palette.strong(id)) \(verdict.paint(palette)(word)) \(time)  \(criterion.text)"
    var lines = [head]
    for check in checks where !check.isPassed && check.misfit == nil {
      let complaints = check.complaints
      if let place = reported[complaints.joined(separator: "\n")], check.isAboutBundle {
        lines.append("    " + palette.bad("the bundle: see \(place)"))
        continue
      }
      reported[complaints.joined(separator: "\n")] = criterion.id
      lines.append("    " + palette.bad((check.heading ?? "").escapingUnprintable()))
      lines += complaints.map { "      " + $0.escapingUnprintable() }
    }
    return lines + untried.map { "    " + palette.faint("not tried: \($0.escapingUnprintable())") }
  }
}

extension CriteriaCertificate.Check {
  /// The title of the check, with its scenario file; nil if nothing was checked.
  fileprivate var heading: String? {
    title.map { title in title + (file.map { " (\($0))" } ?? "") }
  }
}

// MARK: - JSON

extension CriteriaCertificate {
  /// The certificate as one line of JSON.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("schema", "sluice-criteria-1")
      writer.member("bundle", bundle)
      writer.member("holds", holds)
      writer.member("milliseconds", duration.milliseconds)
      writer.array("notTried") { writer in
        if let general { writer.string(general) }
      }
      writer.array("criteria", of: entries) { $1.write(to: &$0) }
    }
  }
}

extension CriteriaCertificate.Entry {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", criterion.id)
      writer.member("stage", criterion.stage.rawValue)
      writer.member("text", criterion.text)
      writer.member("verdict", verdict.rawValue)
      writer.member("milliseconds", duration.milliseconds)
      writer.array("checks") { writer in
        for check in checks where check.misfit == nil { check.write(to: &writer) }
      }
      writer.strings("notTried", untried)
    }
  }
}

extension CriteriaCertificate.Check {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("title", title)
      writer.member("file", file)
      writer.member("passed", isPassed)
      writer.member("milliseconds", duration.milliseconds)
      writer.strings("complaints", complaints)
    }
  }
}

// MARK: - JUnit

extension CriteriaCertificate {
  /// The certificate as JUnit XML, with a suite for each stage and a test case for each criterion.
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
      case .notCovered: xml.element("skipped", [("message", "no scenario covers it")])
      }
      let lines = output
      guard !lines.isEmpty else { return }
      xml.element("system-out", [], text: lines.joined(separator: "\n"))
    }
  }
  /// The lines about the checks, step by step, and about the parts that were not tried.
  private var output: [String] {
    let tried = checks.flatMap { check -> [String] in
      [check.heading].compactMap(\.self) + check.details.map { "  " + $0 }
    }
    return tried + untried.map { "not tried: \($0)" }
  }
}
