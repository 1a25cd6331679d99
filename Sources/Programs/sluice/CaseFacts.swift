internal import JSON
internal import Model
internal import Scenario
internal import Sharding

/// What reports on cases say, and no case tells.
struct CaseFacts {
  /// The title of pages.
  var title: String
  /// The settings that the policies state.
  var stated: Set<Setting>
  /// The cases that are left out.
  var notRun: [CaseNotRun] = []
  /// The warnings about the files of scenarios, by the scenario's file.
  var warnings: [String: [String]] = [:]
  /// What was not read of the policies of scenarios, each once.
  var notices: [String] = []

  init(title: String, stated: Set<Setting>) {
    self.title = title
    self.stated = stated
  }

  /// The facts in a plan.
  init(of plan: Plan) {
    let facts = try? JSONReader.read(plan.facts)
    title = facts?["title"]?.string ?? ""
    stated = Set(
      (facts?["stated"]?.array ?? []).compactMap { $0.string.flatMap(Setting.init(rawValue:)) })
    notRun = (facts?["notRun"]?.array ?? []).map(CaseNotRun.init)
    notices = (facts?["notices"]?.array ?? []).compactMap(\.string)
    for member in facts?["warnings"]?.members ?? [] {
      warnings[member.name] = member.value.array?.compactMap(\.string)
    }
  }

  func writeMembers(to writer: inout JSONWriter) {
    writer.member("title", title)
    writer.strings("stated", stated.map(\.rawValue).sorted())
    if !notices.isEmpty { writer.strings("notices", notices) }
    writer.array("notRun") { writer in for test in notRun { test.write(to: &writer) } }
    writer.object("warnings") { writer in
      for (file, lines) in warnings.sorted(by: { $0.key < $1.key }) {
        writer.member(named: file) { writer in
          writer.array { writer in for line in lines { writer.string(line) } }
        }
      }
    }
  }

  /// The report, with what was not read, with the cases that were left out, and with warnings in those that did not pass.
  func complete(_ report: Report) -> Report {
    var report = report
    report.notices = notices
    for test in notRun {
      report.add(
        notRun: test.name, criterion: test.criterion, of: test.suite, in: test.file,
        because: test.why)
    }
    for (file, lines) in warnings { report.cite(lines, of: file) }
    return report
  }
}

/// A case that is left out because the installation lacks a program that it needs.
struct CaseNotRun {
  var file: String
  var suite: String
  var name: String
  var criterion: String?
  var why: String

  init(_ test: Case, of scenario: Scenario, because why: String) {
    file = scenario.file
    suite = scenario.name
    name = test.name
    criterion = test.criterion
    self.why = why
  }

  /// The result that reports show of it.
  var result: CaseResult {
    var result = CaseResult(name: name, criterion: criterion)
    result.reasonNotRun = why
    return result
  }

  fileprivate init(_ value: JSONValue) {
    file = value["file"]?.string ?? ""
    suite = value["suite"]?.string ?? ""
    name = value["name"]?.string ?? ""
    criterion = value["criterion"]?.string
    why = value["why"]?.string ?? ""
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("file", file)
      writer.member("suite", suite)
      writer.member("name", name)
      writer.member("criterion", criterion)
      writer.member("why", why)
    }
  }
}
