internal import Analysis
internal import AppConfiguration
package import Directory
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Policy

/// The table of users and apps, as data.
extension Tenant {
  /// A row of the table: the policies of a class of users in an app.
  package struct Row: Sendable {
    package var users: UserClass
    /// The lowercase bundle id of the app.
    package var app: String
    /// The policies that apply together, by their indices; nil if they depend on too many facts.
    package var effective: [Assumptions.Alternative<[Int]>]?
    var demand: PolicyDemand
    /// The conditional access policies that the users cannot meet on the device, by their indices.
    var blocks: [Int]
  }

  /// Returns a row for each class and app.
  ///
  /// - Parameter apps: Lowercase bundle ids.
  package func rows(
    for classes: [UserClass], in apps: [String], on device: TenantDevice
  ) -> [Row] {
    let survey = UserSurvey(self, users: classes.map(\.representative))
    let columns = apps.map { app in
      let answers = survey.answers(in: app, on: device)
      return (app: app, labels: answers.labels, effective: answers.effective)
    }
    let demands = demands(of: survey, on: device)
    let blocks = blocks(of: survey, on: device)
    return classes.enumerated().flatMap { number, users in
      columns.map { column in
        Row(
          users: users, app: column.app, effective: column.effective[Int(column.labels[number])],
          demand: demands[number], blocks: blocks[number])
      }
    }
  }

  /// Returns the cases in which conditional access demands an app protection policy of a row's users, if `alternative`
  /// holds. There is no case (``PolicyDemand/never``) if the users have a policy or need none, or if a policy would not
  /// help.
  func demand(on row: Row, _ alternative: Assumptions.Alternative<[Int]>) -> PolicyDemand {
    !row.blocks.isEmpty || row.isAccessible(under: alternative.answer)
      ? .never : row.demand.given(conditions(alternative.facts))
  }

  /// Returns a row for each user and app, in the order of the directory, then by app.
  ///
  /// - Parameter rows: The rows for each class and app, grouped by class.
  package func rowsOfUsers(_ rows: [Row]) -> [Row] {
    let classes = Self.classes(of: rows).map { $0.sorted { $0.app < $1.app } }
    let users = classes.enumerated().flatMap { index, rows in
      rows[0].users.users.map { (user: $0, rows: index) }
    }
    return users.sorted { $0.user < $1.user }.flatMap { user, index in
      let users = UserClass(users: [user])
      return classes[index].map { row in
        var row = row
        row.users = users
        return row
      }
    }
  }

  // MARK: CSV

  package func csv(of rows: [Row], on device: TenantDevice) -> String {
    let quoted = Self.quoted
    var users = RowMemo<UserClass, String> {
      "\($0.users.count)," + quoted(directory.users[$0.representative].upn) + ","
    }
    var apps = RowMemo<String, String> { quoted($0) + "," }
    var answers = RowMemo<[Int], String> {
      quoted(names(of: $0).replacing("\n", with: "; ")) + "\n"
    }
    var csv = "users,like,app,policies\n"
    for row in rows {
      csv += users[row.users]
      csv += apps[row.app]
      if let policies = row.effective?.known(), row.isAccessible(under: policies) {
        csv += answers[policies]
      } else {
        csv += quoted(policies(row, on: device).joined(separator: "; ")) + "\n"
      }
    }
    return csv
  }

  /// Returns the text of a cell, in quotation marks if it needs them.
  static func quoted(_ cell: String) -> String {
    cell.utf8.contains { ",\"\n".utf8.contains($0) }
      ? "\"\(cell.replacing("\"", with: "\"\""))\"" : cell
  }

  // MARK: JSON

  /// Returns the table as one JSON object with a final line break; see docs/tenant.md.
  ///
  /// - Parameter answer: The answer for one user and app, with its reasons; nil for several users or apps.
  package func json(
    of rows: [Row], on device: TenantDevice, explaining answer: TenantAnswer? = nil
  ) -> String {
    JSONWriter.objectLine { writer in
      writer.member("tenant", folder)
      write(device, to: &writer)
      writer.objects("classes", of: Self.classes(of: rows)) { writer, rows in
        writer.strings("users", rows[0].users.users.map { directory.users[$0].upn })
        if directory.isDisabled(rows[0].users.representative) { writer.member("isDisabled", true) }
        writer.objects("apps", of: rows) { writer, row in
          writer.member("app", row.app)
          if !row.blocks.isEmpty {
            writer.strings("blockedBy", row.blocks.map { conditionalAccess[$0].displayName })
          }
          write(row.effective, to: &writer) { writer, alternative in
            write(alternative.answer, to: &writer)
            write(demand(on: row, alternative), to: &writer)
          } undecided: {
            facts(
              deciding: .effective, for: row.users.representative, app: row.app, on: device)
          }
        }
      }
      if let answer { writer.object("answer") { write(answer, to: &$0) } }
    }
  }

  func write(_ device: TenantDevice, to writer: inout JSONWriter) {
    writer.object("device") { writer in
      writer.member("isManaged", device.isManaged)
      writer.member("os", device.osVersion)
      writer.member("model", device.model)
      writer.member("appVersion", device.appVersion)
      if !device.appVersions.isEmpty {
        writer.object("appVersions") { writer in
          for (app, version) in device.appVersions.sorted(by: { $0.key < $1.key }) {
            writer.member(named: app) { $0.string(version) }
          }
        }
      }
    }
  }

  /// Groups consecutive rows of the same users.
  static func classes(of rows: [Row]) -> [[Row]] {
    var classes: [[Row]] = []
    for row in rows {
      if classes.last?[0].users.users == row.users.users {
        classes[classes.count - 1].append(row)
      } else {
        classes.append([row])
      }
    }
    return classes
  }

  /// Writes the alternatives of an answer. If the answer depends on too many unknown facts, writes these facts instead.
  ///
  /// - Parameter facts: Returns the facts on which the answer depends. Called only if the answer has no alternatives.
  private func write<Answer>(
    _ alternatives: [Assumptions.Alternative<Answer>]?, to writer: inout JSONWriter,
    _ body: (inout JSONWriter, Assumptions.Alternative<Answer>) -> Void,
    undecided facts: () -> [UnknownFact]
  ) {
    guard let alternatives else {
      return writer.strings("dependsOn", facts().map { text(of: $0, holds: true) })
    }
    writer.objects("alternatives", of: alternatives) { writer, alternative in
      writer.strings("if", alternative.facts.map { text(of: $0.fact, holds: $0.holds) })
      body(&writer, alternative)
    }
  }

  private func write(_ indices: [Int], to writer: inout JSONWriter) {
    writer.objects("policies", of: indices.map { policies[$0] }) { writer, policy in
      write(policy.displayName, policy.file, policy.position.line, to: &writer)
    }
  }

  func write(_ name: String, _ file: String, _ line: Int, to writer: inout JSONWriter) {
    writer.member("name", relative(name))
    writer.member("file", relative(file))
    writer.member("line", line)
  }

  private func write(_ lockOuts: PolicyDemand, to writer: inout JSONWriter) {
    guard !lockOuts.cases.isEmpty else { return }
    writer.objects("lockedOut", of: lockOuts.cases) { $0.strings("if", $1.map(\.text)) }
  }

  private func write(_ answer: TenantAnswer, to writer: inout JSONWriter) {
    writer.objects("policies", of: answer.policies) { writer, result in
      let policy = policies[result.document]
      write(policy.displayName, policy.file, policy.position.line, to: &writer)
      write(result, .policy(result.document), answer, to: &writer) {
        text(of: $0, policy.assignments ?? [], policy.file, answer.user)
      }
    }
    writer.objects("settings", of: answer.effective ?? []) { writer, alternative in
      writer.strings("if", alternative.facts.map { text(of: $0.fact, holds: $0.holds) })
      writer.objects("stated", of: settings(of: alternative.answer)) { writer, row in
        writer.member("label", row.setting.label)
        writeValue(of: row.setting, to: &writer)
        guard !row.overruled.isEmpty else { return }
        writer.objects("overruled", of: row.overruled) { writeValue(of: $1, to: &$0) }
      }
    }
    writer.objects("configurations", of: answer.configurations) { writer, result in
      let document = configurations[result.document]
      write(document.displayName, document.file, document.position.line, to: &writer)
      write(result, .configuration(result.document), answer, to: &writer) {
        text(of: $0, in: document, answer.user)
      }
      writer.strings("keys", document.entries.map(\.key))
    }
    writer.objects("conditionalAccess", of: answer.conditionalAccess) { writer, result in
      let policy = conditionalAccess[result.document]
      write(policy.displayName, policy.file, policy.position.line, to: &writer)
      writer.member("state", policy.state.rawValue)
      writer.strings("controls", policy.controls.map(\.rawValue))
      writer.member("operator", policy.operator.rawValue)
      write(result.alternatives, to: &writer) { writer, alternative in
        if let applies = alternative.answer.applies { writer.member("applies", applies) }
        writer.member("reason", clause(of: policy, alternative.answer, answer.user))
        write(lockOuts(by: result.document, alternative, answer), to: &writer)
      } undecided: {
        facts(
          deciding: .access(result.document), for: answer.user, app: answer.app, on: answer.device)
      }
    }
  }

  private func write(
    _ result: TenantAnswer.Result<TenantAnswer.Delivery>, _ part: AnswerPart,
    _ answer: TenantAnswer, to writer: inout JSONWriter,
    reason: (TenantAnswer.Delivery) -> String
  ) {
    write(result.alternatives, to: &writer) { writer, alternative in
      writer.member("applies", alternative.answer.applies)
      writer.member("reason", reason(alternative.answer))
    } undecided: {
      facts(deciding: part, for: answer.user, app: answer.app, on: answer.device)
    }
  }

  private func writeValue(of row: PolicyView.Row, to writer: inout JSONWriter) {
    writer.member("value", row.words)
    writer.strings("places", row.places.map { cite($0.file, $0.line) })
  }

  struct EffectiveSetting {
    /// The most restrictive value.
    var setting: PolicyView.Row
    /// The values that single policies state, and that differ from the more restrictive value in ``setting``.
    var overruled: [PolicyView.Row]
  }

  func settings(of indices: [Int]) -> [EffectiveSetting] {
    let documents = indices.map { policies[$0] }
    let own = documents.count > 1 ? documents.map { Self.settings(of: [$0]) } : []
    return Self.settings(of: documents).map { row in
      let others = own.joined().filter { $0.label == row.label && $0.words != row.words }
      return EffectiveSetting(setting: row, overruled: others)
    }
  }

  private static func settings(of documents: [PolicyDocument]) -> [PolicyView.Row] {
    guard !documents.isEmpty else { return [] }
    return PolicyView(merging: documents).sections.flatMap(\.rows)
      .filter { !$0.places.isEmpty && !$0.values.isEmpty }
  }
}

extension Tenant.Row {
  /// Returns whether the users are certain to get access if these policies apply: conditional access does not block
  /// them, and cannot lock them out.
  func isAccessible(under policies: [Int]) -> Bool {
    blocks.isEmpty && (!policies.isEmpty || demand.cases.isEmpty)
  }
}

/// A cache of values that many rows share, such as the texts of cells.
struct RowMemo<Content: Hashable, Value> {
  private let compute: (Content) -> Value
  private var known: [Content: Value] = [:]
  /// The content and value of the previous row; nil before the first row. The next row often has the same content.
  private var last: (content: Content, value: Value)?

  init(_ compute: @escaping (Content) -> Value) { self.compute = compute }

  subscript(content: Content) -> Value {
    mutating get {
      if let last, last.content == content { return last.value }
      let value = known[content] ?? compute(content)
      known[content] = value
      last = (content, value)
      return value
    }
  }
}
