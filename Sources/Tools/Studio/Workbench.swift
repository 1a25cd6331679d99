internal import Analysis
internal import Encodings
package import GraphDocuments
package import Model
internal import Output
package import Policy

/// The drafts of a page with their answers and goals. Each change has a new revision number.
package struct Workbench: Sendable {
  package private(set) var drafts: [PolicyDraft]
  /// The number of changes so far. A page states the number that its data has.
  package private(set) var revision = 0
  private var goals: [Goal] = []

  /// An answer that must stay.
  fileprivate struct Goal: Sendable {
    var policy: PolicyIndex
    var scene: Scene
    var title: String
    var wanted: Outcome
  }

  /// A policy by its draft and its index there.
  package struct PolicyIndex: Sendable, Hashable {
    var draft: Int
    var policy: Int
  }

  /// A cell of a policy's tables.
  package struct Cell: Sendable, Hashable {
    package var section: Int
    package var row: Int
    package var column: Int
    package var state: ManagementState

    package init(section: Int, row: Int, column: Int, state: ManagementState) {
      self.section = section
      self.row = row
      self.column = column
      self.state = state
    }
  }

  /// - Parameter drafts: At least one file.
  package init(_ drafts: [PolicyDraft]) { self.drafts = drafts }

  /// The policies of all files, in order.
  package var policies: [PolicyIndex] {
    drafts.indices.flatMap { draft in
      drafts[draft].policies.indices.map { PolicyIndex(draft: draft, policy: $0) }
    }
  }

  package func document(_ index: PolicyIndex) -> PolicyDocument {
    drafts[index.draft].policies[index.policy]
  }

  private func original(_ index: PolicyIndex) -> PolicyDocument {
    drafts[index.draft].originals[index.policy]
  }

  // MARK: Changes

  package mutating func change(_ index: PolicyIndex, _ edit: SettingEdit) {
    drafts[index.draft].change(policy: index.policy, edit)
    revision += 1
  }

  package mutating func undo(_ index: PolicyIndex) {
    drafts[index.draft].undo()
    revision += 1
  }

  package mutating func redo(_ index: PolicyIndex) {
    drafts[index.draft].redo()
    revision += 1
  }

  package mutating func save(
    _ index: PolicyIndex, reading read: (String) -> [UInt8]?
  ) throws(PolicyDraft.SaveError) {
    try drafts[index.draft].save(reading: read)
    revision += 1
  }

  package mutating func reload(
    _ index: PolicyIndex, _ bytes: [UInt8]
  ) throws(PolicyErrors) {
    let count = drafts[index.draft].policies.count
    try drafts[index.draft].reload(bytes)
    // Other policies may now have the indices of the goals.
    if drafts[index.draft].policies.count != count {
      goals.removeAll { $0.policy.draft == index.draft }
    }
    revision += 1
  }

  // MARK: Answers

  /// The tables of a policy before and after the changes, which have the same rows.
  private func matrices(_ index: PolicyIndex) -> (before: FlowMatrix, after: FlowMatrix) {
    let (before, after) = (original(index), document(index))
    let channels = Set(FlowMatrix.channels)
    return (
      FlowMatrix(before, among: [before, after], channels: channels),
      FlowMatrix(after, among: [before, after], channels: channels)
    )
  }

  private func found(_ cell: Cell, in matrix: FlowMatrix) -> (scene: Scene, title: String)? {
    guard matrix.sections.indices.contains(cell.section) else { return nil }
    let section = matrix.sections[cell.section]
    guard section.rows.indices.contains(cell.row) else { return nil }
    let row = section.rows[cell.row]
    guard row.entries.indices.contains(cell.column), let entry = row.entries[cell.column],
      entry.cells.contains(where: { $0.states.contains(cell.state) })
    else { return nil }
    let scene = Scene(
      row.channel, via: row.via ?? .sdk, entry.parties, row.subject, DeviceCondition(cell.state))
    return (scene, "\(row.title), \(section.columns[cell.column]), \(cell.state.title)")
  }

  /// Returns whether the tables show the outcome of a proposal in the cell with that title. They may not: "Paste,
  /// more" is about a longer text if the number of characters that may be pasted grows.
  private func shows(_ proposal: SettingProposal, at title: String, of index: PolicyIndex) -> Bool {
    var changed = document(index)
    changed.settings = proposal.settings
    let matrix = FlowMatrix(
      changed, among: [original(index), changed], channels: Set(FlowMatrix.channels))
    return matrix.sections.indices.contains { section in
      let columns = matrix.sections[section].columns
      return matrix.sections[section].rows.contains { row in
        columns.indices.contains { column in
          row.entries[column]?.cells.contains { cell in
            cell.outcome == proposal.outcome
              && cell.states.contains { "\(row.title), \(columns[column]), \($0.title)" == title }
          } ?? false
        }
      }
    }
  }

  private static func outcome(of scene: Scene, under settings: Settings) -> Outcome {
    evaluate(scene.request(under: EffectivePolicy(settings: settings))).outcome
  }

  // MARK: Goals

  /// Pins the present answer of a cell, or removes its pin.
  ///
  /// - Returns: False if there is no such cell.
  package mutating func toggleGoal(_ cell: Cell, of index: PolicyIndex) -> Bool {
    guard let (scene, title) = found(cell, in: matrices(index).after) else { return false }
    revision += 1
    if let known = goals.firstIndex(where: { $0.policy == index && $0.scene == scene }) {
      goals.remove(at: known)
    } else {
      let outcome = Self.outcome(of: scene, under: document(index).settings)
      goals.append(Goal(policy: index, scene: scene, title: title, wanted: outcome))
    }
    return true
  }

  /// Sets the answer that a goal wants.
  package mutating func want(_ outcome: Outcome, goal: Int) -> Bool {
    guard goals.indices.contains(goal) else { return false }
    goals[goal].wanted = outcome
    revision += 1
    return true
  }

  package mutating func removeGoal(_ goal: Int) -> Bool {
    guard goals.indices.contains(goal) else { return false }
    goals.remove(at: goal)
    revision += 1
    return true
  }

  /// Changes with which a policy meets all its goals.
  private struct Solution {
    var settings: Settings
    /// The new values, one text for each step.
    var steps: [String]
  }

  /// The maximum number of steps to a solution, and of solutions.
  private static let longestSearch = (steps: 4, solutions: 4)

  /// Searches for the fewest changes with which a policy meets all its goals: breadth first, each step the
  /// smallest changes that reverse an answer which is not the wanted one.
  private func solutions(_ index: PolicyIndex) -> [Solution] {
    let wanted = goals.filter { $0.policy == index }
    var level = [Solution(settings: document(index).settings, steps: [])]
    var seen = Set<[String]>()
    for _ in 0..<Self.longestSearch.steps {
      var next: [Solution] = []
      for solution in level {
        guard
          let unmet = wanted.first(where: {
            Self.outcome(of: $0.scene, under: solution.settings) != $0.wanted
          })
        else { continue }
        let policy = EffectivePolicy(settings: solution.settings)
        let proposals = SettingProposal.reversing(
          unmet.scene.request(under: policy), in: policy
        ) { evaluate(unmet.scene.request(under: $0)).outcome }
        for proposal in proposals where proposal.outcome == unmet.wanted {
          let steps = solution.steps + [proposal.text]
          guard seen.insert(steps.sorted()).inserted else { continue }
          next.append(Solution(settings: proposal.settings, steps: steps))
        }
      }
      let complete = next.filter { solution in
        wanted.allSatisfy { Self.outcome(of: $0.scene, under: solution.settings) == $0.wanted }
      }
      guard complete.isEmpty else { return Array(complete.prefix(Self.longestSearch.solutions)) }
      level = next
    }
    return []
  }

  /// Returns how many answers of the tables differ between two settings of a policy.
  private func differenceCount(_ index: PolicyIndex, _ one: Settings, _ other: Settings) -> Int {
    var (before, after) = (document(index), document(index))
    (before.settings, after.settings) = (one, other)
    let channels = Set(FlowMatrix.channels)
    let matrices = [before, after].map {
      FlowMatrix($0, among: [before, after], channels: channels)
    }
    return Comparison(before: matrices[0], after: matrices[1]).differenceCount
  }
}

extension ManagementState {
  /// The state of the device in words.
  fileprivate var title: String {
    switch self {
    case .unenrolled: "device not enrolled"
    case .enrolledWithoutUPN: "enrolled without IntuneMAMUPN"
    case .enrolled: "enrolled with IntuneMAMUPN"
    }
  }
}

/// The answers of two tables with the same rows.
private struct Comparison {
  let before: FlowMatrix
  let after: FlowMatrix

  /// The answers of one cell in the states that give the same ones.
  struct Answer {
    var states: [ManagementState]
    var before: Outcome?
    var after: FlowMatrix.Cell

    var isChanged: Bool { before != nil && before != after.outcome }
  }

  /// Returns the answers in a cell; nil if no such flow exists.
  func answers(_ section: Int, _ row: Int, _ column: Int) -> [Answer]? {
    guard let entry = after.sections[section].rows[row].entries[column] else { return nil }
    let old = before.sections[section].rows[row].entries[column]
    var answers: [Answer] = []
    for cell in entry.cells {
      for state in cell.states {
        let outcome = old?.cells.first { $0.states.contains(state) }?.outcome
        if let index = answers.firstIndex(where: { $0.before == outcome && $0.after == cell }) {
          answers[index].states.append(state)
        } else {
          answers.append(Answer(states: [state], before: outcome, after: cell))
        }
      }
    }
    return answers
  }

  /// The number of answers that differ, each device state counted.
  var differenceCount: Int {
    after.sections.indices.reduce(0) { sum, section in
      let rows = after.sections[section].rows
      return sum
        + rows.indices.reduce(0) { sum, row in
          sum
            + rows[row].entries.indices.reduce(0) { sum, column in
              let changed = answers(section, row, column)?.filter(\.isChanged) ?? []
              return sum + changed.reduce(0) { $0 + $1.states.count }
            }
        }
    }
  }
}

// MARK: - JSON

extension Workbench {
  /// Returns the state of the page for a policy, as JSON with a final line break.
  package func state(_ index: PolicyIndex) -> String {
    let draft = drafts[index.draft]
    let (before, after) = matrices(index)
    let comparison = Comparison(before: before, after: after)
    return JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.objects("policies", of: policies) { writer, policy in
        writer.member("name", document(policy).displayName)
        writer.member("file", drafts[policy.draft].file)
        writer.member(
          "isChanged", !drafts[policy.draft].changedSettings(ofPolicy: policy.policy).isEmpty)
      }
      writer.member("policy", policies.firstIndex(of: index))
      writer.member("file", draft.file)
      writer.member("isChanged", draft.isChanged)
      writer.member("canUndo", draft.canUndo)
      writer.member("canRedo", draft.canRedo)
      writePages(of: index, to: &writer)
      writer.strings("states", after.states.map(\.rawValue))
      writer.strings("stateTitles", after.states.map(\.title))
      writer.member("changedAnswers", comparison.differenceCount)
      write(comparison, of: index, to: &writer)
      writeGoals(of: index, to: &writer)
      let findings = Linter.lint(draft.bytes, file: draft.file)
      writer.objects("findings", of: findings) { writer, finding in
        writer.member("severity", finding.severity.rawValue)
        writer.member("rule", finding.code)
        writer.member("line", finding.position?.line)
        writer.member("message", finding.message)
      }
    }
  }

  private func writePages(of index: PolicyIndex, to writer: inout JSONWriter) {
    let (old, new) = (original(index).settings, document(index).settings)
    let changed = Set(new.differences(from: old))
    writer.objects("pages", of: SettingPage.allCases) { writer, page in
      writer.member("name", page.rawValue)
      writer.objects("lines", of: page.lines) { writer, line in
        writer.member("title", line.title)
        writer.strings("properties", line.settings.map(\.rawValue))
        writer.member("words", new.words(for: line.settings[0]))
        if line.settings.contains(where: changed.contains) {
          writer.member("before", old.words(for: line.settings[0]) ?? "")
        }
        writer.strings("texts", line.texts(in: new))
        writer.member("noEffect", new.noEffectReason(of: line.settings[0]))
        switch line.control {
        case .choice(let options):
          writer.member("control", "choice")
          // A value of the file that the control does not offer, such as a browser by its protocol, is shown.
          let shown = line.texts(in: new).filter { !options.contains($0) }
          writer.strings("options", shown + options)
        case .selection(let options):
          writer.member("control", "selection")
          writer.strings("options", options)
        case .number(let range):
          writer.member("control", "number")
          writer.member("minimum", range.lowerBound)
          writer.member("maximum", range.upperBound)
        case .period: writer.member("control", "period")
        case .list: writer.member("control", "list")
        case .text: writer.member("control", "text")
        }
      }
    }
  }

  private func write(
    _ comparison: Comparison, of index: PolicyIndex, to writer: inout JSONWriter
  ) {
    let pinned = Set(goals.filter { $0.policy == index }.map(\.scene))
    let sections = Array(comparison.after.sections.enumerated())
    writer.objects("sections", of: sections) { writer, numbered in
      let (number, section) = numbered
      writer.member("title", section.title)
      writer.strings("columns", section.columns)
      writer.objects("rows", of: Array(section.rows.enumerated())) { writer, numbered in
        let (place, row) = numbered
        writer.member("title", row.title)
        writer.member(named: "entries") { writer in
          writer.array { writer in
            for column in row.entries.indices {
              guard let answers = comparison.answers(number, place, column),
                let parties = row.entries[column]?.parties
              else {
                writer.null()
                continue
              }
              writer.array { writer in
                for answer in answers {
                  let scenes = answer.states.map {
                    Scene(
                      row.channel, via: row.via ?? .sdk, parties, row.subject, DeviceCondition($0))
                  }
                  writer.object { writer in
                    writer.strings("states", answer.states.map(\.rawValue))
                    writer.member("outcome", answer.after.outcome.rawValue)
                    if answer.isChanged { writer.member("before", answer.before?.rawValue) }
                    writer.member("isPinned", scenes.contains(where: pinned.contains))
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  private func writeGoals(of index: PolicyIndex, to writer: inout JSONWriter) {
    let own = goals.enumerated().filter { $0.element.policy == index }
    writer.objects("goals", of: own) { writer, numbered in
      let (number, goal) = numbered
      writer.member("number", number)
      writer.member("title", goal.title)
      writer.member("wanted", goal.wanted.rawValue)
      let outcome = Self.outcome(of: goal.scene, under: document(index).settings)
      writer.member("outcome", outcome.rawValue)
    }
  }

  /// Returns the explanation of a cell with proposals that reverse it, as JSON with a final line break; nil if
  /// there is no such cell.
  package func explanation(of cell: Cell, in index: PolicyIndex) -> String? {
    guard let (scene, title) = found(cell, in: matrices(index).after) else { return nil }
    let document = document(index)
    let policy = EffectivePolicy(settings: document.settings, origins: document.origins)
    let request = scene.request(under: policy)
    let explained = Explainer.explain(request, evaluate(request))
    let proposals = SettingProposal.reversing(request, in: policy) {
      evaluate(scene.request(under: $0)).outcome
    }.filter { shows($0, at: title, of: index) }
    return JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.member("title", title)
      writer.member("outcome", explained.outcome.rawValue)
      let decided = explained.reasons.firstIndex { $0.rule == explained.deciding }
      writer.objects("reasons", of: Array(explained.reasons.enumerated())) { writer, numbered in
        let (number, reason) = numbered
        writer.member("rule", reason.rule.rawValue)
        writer.member("isDeciding", number == decided)
        writer.member("setting", reason.citation)
        writer.member("text", reason.text)
        writer.member("isAssumed", reason.isAssumed)
      }
      writer.objects("proposals", of: proposals) { writer, proposal in
        writer.member("text", proposal.text)
        writer.member("outcome", proposal.outcome.rawValue)
        write(document.settings, proposal.settings, of: index, to: &writer)
      }
    }
  }

  /// Returns the fewest changes with which a policy meets all its goals, as JSON with a final line break.
  package func solutions(for index: PolicyIndex) -> String {
    let settings = document(index).settings
    return JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.objects("solutions", of: solutions(index)) { writer, solution in
        writer.member("text", solution.steps.joined(separator: " and "))
        write(settings, solution.settings, of: index, to: &writer)
      }
    }
  }

  /// Writes the properties that differ and the number of answers that change with them.
  private func write(
    _ old: Settings, _ new: Settings, of index: PolicyIndex, to writer: inout JSONWriter
  ) {
    writer.member("changedAnswers", differenceCount(index, old, new))
    writer.member(named: "values") { writer in
      writer.object { writer in
        for setting in new.differences(from: old) {
          writer.member(named: setting.rawValue) { writer in
            new.graphValue(of: setting)?.write(to: &writer)
          }
        }
      }
    }
  }
}
