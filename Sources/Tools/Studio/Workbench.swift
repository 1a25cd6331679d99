internal import Analysis
internal import Encodings
internal import GraphDocuments
package import Model
package import Policy
internal import Synchronization
package import Tenants

/// The drafts of a page with their goals. Each change has a new revision number.
package struct Workbench: Sendable {
  package private(set) var drafts: [PolicyDraft]
  /// The number of changes so far. Each request of a page states the revision of the page's data. If that revision is
  /// outdated, a request for a change is refused.
  package private(set) var revision = 0
  private(set) var goals: [Goal] = []
  /// The lines that a draft and another program have changed to different values, until the user has decided.
  private(set) var conflicts: [Conflict] = []
  /// Policies of other files, with which the drafts can be compared.
  let references: [PolicyDocument]
  /// The export that contains the drafts' policies; nil if there is none.
  let tenant: Tenant?

  /// The answers that a device has given; nil if there is no device.
  var tries: Tries?

  let comparisons = Memo<ComparisonInput, FlowMatrixComparison>()
  let lints = Memo<[UInt8], [LintFinding]>()
  let waysOut = Memo<WaysInput, WaysOut>()
  /// The reach of each policy, keyed by the policy's index in ``tenant``.
  let reaches = Memo<Int, [ReachedUsers]>()

  /// An answer that the user wants a flow to have.
  struct Goal: Sendable {
    var policy: PolicyIndex
    var scene: Scene
    /// The flow in words.
    var name: String
    var state: ManagementState
    var wanted: Outcome

    var title: String { "\(name), \(state.title)" }
  }

  /// A line of the admin centre that both a draft and another program have changed. The draft keeps its own value.
  struct Conflict: Sendable {
    var policy: PolicyIndex
    var line: SettingPage.Line
    /// The value before both changes, in the admin centre's words; nil if there was none.
    var before: String?
  }

  /// A policy, identified by its draft and its index in the draft.
  package struct PolicyIndex: Sendable, Hashable {
    var draft: Int
    var policy: Int
  }

  /// Creates a workbench without goals.
  ///
  /// - Parameter drafts: At least one file.
  package init(
    _ drafts: [PolicyDraft], comparedWith references: [PolicyDocument] = [],
    of tenant: Tenant? = nil
  ) {
    self.drafts = drafts
    self.references = references
    self.tenant = tenant
  }

  /// The policies of all files, in the order of the files.
  package var policies: [PolicyIndex] {
    drafts.indices.flatMap { draft in
      drafts[draft].policies.indices.map { PolicyIndex(draft: draft, policy: $0) }
    }
  }

  package func document(_ index: PolicyIndex) -> PolicyDocument {
    drafts[index.draft].policies[index.policy]
  }

  func original(_ index: PolicyIndex) -> PolicyDocument {
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
    conflicts.removeAll { $0.policy.draft == index.draft }
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
    conflicts.removeAll { $0.policy.draft == index.draft }
    revision += 1
  }

  /// Reads a draft's file again, and applies the draft's changes to the new content. The goals are kept.
  ///
  /// - Returns: The index of the policy in the new file. If the file no longer contains the policy, the index of the
  ///   file's first policy.
  package mutating func merge(
    _ index: PolicyIndex, _ bytes: [UInt8]
  ) throws(PolicyDraft.MergeError) -> PolicyIndex {
    let own = { (policy: PolicyIndex) in policy.draft == index.draft }
    let needed = Set(goals.map(\.policy).filter(own).map(\.policy))
    let (found, places) = try drafts[index.draft].merge(bytes, keeping: needed)
    for number in goals.indices where own(goals[number].policy) {
      guard let place = places[goals[number].policy.policy] else { continue }
      goals[number].policy.policy = place
    }
    let lines = SettingPage.allCases.flatMap(\.lines)
    conflicts.removeAll { own($0.policy) }
    conflicts += found.compactMap { conflict in
      lines.first { $0.settings.contains(conflict.setting) }.map { line in
        Conflict(
          policy: PolicyIndex(draft: index.draft, policy: conflict.policy), line: line,
          before: conflict.before)
      }
    }
    revision += 1
    return PolicyIndex(draft: index.draft, policy: places[index.policy] ?? 0)
  }

  /// The value that remains after a conflict.
  package enum Resolution: String, Sendable {
    case draft, file
  }

  /// Resolves a conflict as the user has chosen.
  ///
  /// - Parameter title: The title of the line.
  /// - Returns: False if there is no such conflict.
  package mutating func resolve(
    _ title: String, of index: PolicyIndex, with resolution: Resolution
  ) -> Bool {
    guard
      let number = conflicts.firstIndex(where: { $0.policy == index && $0.line.title == title })
    else { return false }
    let line = conflicts.remove(at: number).line
    switch resolution {
    case .draft: break
    case .file:
      // The reader has accepted the values.
      if let edit = try? SettingEdit(of: line.settings, in: original(index).settings) {
        drafts[index.draft].change(policy: index.policy, edit)
      }
    }
    revision += 1
    return true
  }

  // MARK: Goals

  static func outcome(of scene: Scene, under settings: Settings) -> Outcome {
    evaluate(scene.request(under: EffectivePolicy(settings: settings))).outcome
  }

  /// Adds a goal for the flow of a cell. If the flow has a goal already, removes the goal instead.
  ///
  /// - Parameter wanted: The answer that the flow must have; nil for the current answer.
  /// - Returns: False if there is no such cell.
  package mutating func toggleGoal(
    _ cell: Cell, of index: PolicyIndex, wanting wanted: Outcome? = nil
  ) -> Bool {
    guard let (scene, name) = found(cell, of: index) else { return false }
    revision += 1
    if let known = goals.firstIndex(where: { $0.policy == index && $0.scene == scene }) {
      goals.remove(at: known)
    } else {
      let present = Self.outcome(of: scene, under: document(index).settings)
      goals.append(
        Goal(
          policy: index, scene: scene, name: name, state: cell.state, wanted: wanted ?? present))
    }
    return true
  }

  /// Adds a goal for each cell of a column, in all device states. Existing goals get the new wanted answer.
  ///
  /// - Returns: False if there is no such column.
  package mutating func pinColumn(
    _ column: Int, ofSection section: Int, of index: PolicyIndex, wanting wanted: Outcome
  ) -> Bool {
    let matrix = comparison(index).after
    guard matrix.sections.indices.contains(section),
      matrix.sections[section].columns.indices.contains(column)
    else { return false }
    for row in matrix.sections[section].rows.indices {
      for state in matrix.states {
        let cell = Cell(section: section, row: row, column: column, state: state)
        guard let (scene, name) = found(cell, of: index) else { continue }
        if let known = goals.firstIndex(where: { $0.policy == index && $0.scene == scene }) {
          goals[known].wanted = wanted
        } else {
          goals.append(
            Goal(policy: index, scene: scene, name: name, state: state, wanted: wanted))
        }
      }
    }
    revision += 1
    return true
  }

  /// Sets the wanted answer of the goals with these numbers.
  ///
  /// - Returns: False if a number is invalid; no goal is then changed.
  package mutating func want(_ outcome: Outcome, of numbers: [Int]) -> Bool {
    guard numbers.allSatisfy(goals.indices.contains) else { return false }
    for number in numbers { goals[number].wanted = outcome }
    revision += 1
    return true
  }

  package mutating func removeGoals(_ numbers: [Int]) -> Bool {
    guard numbers.allSatisfy(goals.indices.contains) else { return false }
    let removed = Set(numbers)
    goals = goals.indices.filter { !removed.contains($0) }.map { goals[$0] }
    revision += 1
    return true
  }

  /// Changes with which a policy meets all its goals.
  private struct Solution {
    var settings: Settings
    /// The new values, one text for each change.
    var steps: [String]
  }

  private static let longestSearch = (steps: 4, solutions: 4)

  /// Searches for the fewest changes with which a policy meets all its goals. The search is breadth-first. Each step
  /// makes one change: one of the smallest that give the first unmet goal's flow the wanted answer.
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
          unmet.scene.request(under: policy), in: policy, to: unmet.wanted
        ) { evaluate(unmet.scene.request(under: $0)).outcome }
        for proposal in proposals {
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
}

// MARK: - Memo

/// A cache of the latest results of a computation, keyed by input. Copies of a workbench share the cache.
final class Memo<Input: Equatable & Sendable, Output: Sendable>: Sendable {
  private struct Entry {
    var input: Input
    var output: Output
  }

  /// The entries, in the order of their last use.
  private let entries = Mutex<[Entry]>([])

  private static var capacity: Int { 8 }

  func value(for input: Input, _ compute: () -> Output) -> Output {
    if let known = known(input) { return known }
    let output = compute()
    entries.withLock { entries in
      if entries.count == Self.capacity { entries.removeFirst() }
      entries.append(Entry(input: input, output: output))
    }
    return output
  }

  private func known(_ input: Input) -> Output? {
    entries.withLock { entries in
      guard let index = entries.lastIndex(where: { $0.input == input }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.output
    }
  }
}
