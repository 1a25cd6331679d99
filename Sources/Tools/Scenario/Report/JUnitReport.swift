internal import Encodings

extension Report {
  package func junit() -> String {
    var xml = XMLWriter()
    let total = suites.reduce(0) { $0 + $1.cases.count }
    xml.element(
      "testsuites",
      [
        ("name", "sluice"), ("tests", "\(total)"), ("failures", "\(count(of: .failed))"),
        ("errors", "\(count(of: .errored))"),
        ("time", suites.flatMap(\.cases).duration?.inSeconds),
      ]
    ) { xml in
      for suite in suites { suite.write(to: &xml) }
    }
    return xml.text
  }
}

extension SuiteResult {
  fileprivate func write(to xml: inout XMLWriter) {
    xml.element(
      "testsuite",
      [
        ("name", name), ("file", file), ("tests", "\(cases.count)"),
        ("failures", "\(count(of: .failed))"), ("errors", "\(count(of: .errored))"),
        ("skipped", "\(count(of: .notRun))"), ("time", cases.duration?.inSeconds),
      ]
    ) { xml in
      for result in cases { result.write(to: &xml, in: self) }
    }
  }
}

extension CaseResult {
  fileprivate func write(to xml: inout XMLWriter, in suite: SuiteResult) {
    xml.element(
      "testcase",
      [
        ("name", title), ("classname", suite.name), ("file", suite.file),
        ("time", duration?.inSeconds),
      ]
    ) { xml in
      writeProperties(to: &xml)
      if let reasonNotRun { xml.element("skipped", [("message", reasonNotRun)]) }
      let complaints = complaints
      if let first = complaints.first(where: { $0.isError == (outcome == .errored) }) {
        xml.element(
          first.isError ? "error" : "failure",
          [
            ("message", first.line(in: suite.file)),
            ("type", first.isError ? "step" : "expectation"),
          ],
          text: complaints.map { $0.line(in: suite.file) }.joined(separator: "\n"))
      }
      let lines = steps.flatMap { $0.lines(.plain, in: suite.file) }
      if !lines.isEmpty { xml.element("system-out", [], text: lines.joined(separator: "\n")) }
      let errors = outputLines + warningLines
      guard outcome != .passed, !errors.isEmpty else { return }
      xml.element("system-err", [], text: errors.joined(separator: "\n"))
    }
  }

  private func writeProperties(to xml: inout XMLWriter) {
    guard criterion != nil || !steps.isEmpty else { return }
    xml.element("properties", []) { xml in
      if let criterion {
        xml.element("property", [("name", "criterion"), ("value", criterion)])
      }
      if expectsNothing {
        xml.element("property", [("name", "expects"), ("value", "nothing")])
      }
      for step in steps {
        xml.element("property", [("name", "step[\(step.number)]"), ("value", step.text)])
      }
    }
  }
}

extension [CaseResult] {
  /// The sum of all known durations; nil if none is known.
  fileprivate var duration: Duration? {
    let known = compactMap(\.duration)
    return known.isEmpty ? nil : known.reduce(.zero, +)
  }
}

// MARK: - XML

/// Writes indented XML 1.0.
package struct XMLWriter {
  package private(set) var text = #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
  private var depth = 0

  package init() {}

  package mutating func element(
    _ name: String, _ attributes: [(String, String?)], _ body: (inout XMLWriter) -> Void
  ) {
    text += indent + "<\(name)\(Self.written(attributes))>\n"
    depth += 1
    body(&self)
    depth -= 1
    text += indent + "</\(name)>\n"
  }

  /// Writes an element with text, or an empty element. Attributes that are nil are omitted.
  package mutating func element(
    _ name: String, _ attributes: [(String, String?)], text content: String? = nil
  ) {
    let head = "<\(name)\(Self.written(attributes))"
    guard let content else {
      text += indent + head + "/>\n"
      return
    }
    text += indent + head + ">" + content.escaped(in: .xmlText) + "</\(name)>\n"
  }

  private var indent: String { String(repeating: "  ", count: depth) }

  private static func written(_ attributes: [(String, String?)]) -> String {
    attributes.reduce(into: "") { text, attribute in
      if let value = attribute.1 {
        text += " \(attribute.0)=\"\(value.escaped(in: .xmlAttribute))\""
      }
    }
  }
}
