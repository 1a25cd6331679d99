internal import Analysis
internal import Encodings
package import GraphDocuments
internal import Model
internal import Policy

// The tables of a policy, their changes, and the explanation of a cell.

extension Workbench {
  /// The location of a cell in the tables of a policy. `section`, `row` and `column` are indices.
  package struct Cell: Sendable, Hashable {
    package var section: Int
    package var row: Int
    package var column: Int
    package var state: ManagementState
  }

  /// The properties of two policies that determine the comparison of their tables; the key of a cache.
  struct ComparisonInput: Sendable, Equatable {
    var before: Settings
    var after: Settings
    var states: [ManagementState]
  }

  /// Returns the tables of two policies with their differences. The tables contain the device states that the second
  /// policy targets.
  func comparison(of before: PolicyDocument, with after: PolicyDocument) -> FlowMatrixComparison {
    let input = ComparisonInput(
      before: before.settings, after: after.settings, states: after.states)
    return comparisons.value(for: input) { FlowMatrixComparison(before, after) }
  }

  /// Returns the tables of the saved policy and of its draft, with their differences.
  func comparison(_ index: PolicyIndex) -> FlowMatrixComparison {
    comparison(of: original(index), with: document(index))
  }

  /// Returns the flow to which a cell belongs, and the cell's title without the device state; nil if there is no such
  /// cell.
  func found(_ cell: Cell, of index: PolicyIndex) -> (scene: Scene, name: String)? {
    let matrix = comparison(index).after
    guard matrix.sections.indices.contains(cell.section) else { return nil }
    let section = matrix.sections[cell.section]
    guard section.rows.indices.contains(cell.row) else { return nil }
    let row = section.rows[cell.row]
    guard row.entries.indices.contains(cell.column), let entry = row.entries[cell.column],
      entry.cells.contains(where: { $0.states.contains(cell.state) })
    else { return nil }
    return (
      row.scene(entry.parties, cell.state), "\(row.name), \(section.columns[cell.column])"
    )
  }

  /// Returns whether the cell with this title has the proposal's outcome after the proposal is applied. The proposal
  /// can change the cell's flow: in the row "Paste, more", the pasted text is longer if more characters may be pasted.
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
              && cell.states.contains { "\(row.name), \(columns[column]), \($0.title)" == title }
          } ?? false
        }
      }
    }
  }

  /// Returns the explanation of a cell's outcome, and proposals that change the outcome, as JSON with a final
  /// line break; nil if there is no such cell.
  package func explanation(of cell: Cell, in index: PolicyIndex) -> String? {
    guard let (scene, name) = found(cell, of: index) else { return nil }
    let title = "\(name), \(cell.state.title)"
    let document = drafts[index.draft].located[index.policy]
    let policy = document.effective
    let request = scene.request(under: policy)
    let explained = Explainer.explain(request, evaluate(request))
    // An encrypted transfer can be made readable, or blocked.
    let goals: [Outcome?] = explained.outcome == .encrypted ? [nil, .blocked] : [nil]
    let proposals = goals.flatMap { wanted in
      SettingProposal.reversing(request, in: policy, to: wanted) {
        evaluate(scene.request(under: $0)).outcome
      }
    }.filter { shows($0, at: title, of: index) }
    return JSONWriter.objectLine { writer in
      writer.member("revision", revision)
      writer.member("title", title)
      writer.member("outcome", explained.outcome.rawValue)
      writer.objects("reasons", of: Array(explained.reasons.enumerated())) { writer, numbered in
        let (number, reason) = numbered
        writer.member("rule", reason.rule.rawValue)
        let isDeciding = number == explained.decidingIndex
        writer.member("isDeciding", isDeciding)
        writer.member("setting", reason.citation)
        writer.member("text", reason.text)
        writer.member("remark", reason.remark(isDeciding: isDeciding))
      }
      writer.objects("proposals", of: proposals) { writer, proposal in
        writer.member("text", proposal.text)
        writer.member("outcome", proposal.outcome.rawValue)
        write(document.settings, proposal.settings, of: index, to: &writer)
      }
    }
  }

  /// Writes the properties that differ between `old` and `new`, and the number of answers that differ as a result.
  func write(
    _ old: Settings, _ new: Settings, of index: PolicyIndex, to writer: inout JSONWriter
  ) {
    var (before, after) = (document(index), document(index))
    (before.settings, after.settings) = (old, new)
    writer.member("changedAnswers", comparison(of: before, with: after).changed.count)
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

extension ManagementState {
  var title: String {
    switch self {
    case .unenrolled: "device not enrolled"
    case .enrolledWithoutUPN: "enrolled without IntuneMAMUPN"
    case .enrolled: "enrolled with IntuneMAMUPN"
    }
  }
}

extension FlowMatrix.Row {
  /// The row's title; for a storage location, the name that users see.
  var name: String {
    guard case .location(let location) = subject else { return title }
    return location.title.capitalizedStart
  }

  func scene(_ parties: Parties, _ state: ManagementState) -> Scene {
    Scene(channel, via: via ?? .sdk, parties, subject, DeviceCondition(state))
  }
}

extension FlowMatrixComparison {
  /// Writes the tables. Marks the cells whose flow has a goal (`pinned`), and adds the device's answer to the cells
  /// whose flow is in `tried`.
  func write(
    pinned: Set<Scene>, tried: [Scene: Tries.Answer], to writer: inout JSONWriter
  ) {
    writer.strings("states", after.states.map(\.rawValue))
    writer.strings("stateTitles", after.states.map(\.title))
    writer.strings("stateHelp", after.states.map(\.help))
    writer.member("encryptedHelp", Legend.meaning(of: Outcome.encrypted.rawValue))
    writer.member("doubtHelp", Legend.meaning(of: "?"))
    writer.member("changedAnswers", changed.count)
    writer.objects("sections", of: Array(after.sections.enumerated())) { writer, numbered in
      let (number, section) = numbered
      writer.member("title", section.title)
      writer.strings("columns", section.columns)
      writer.strings("columnHelp", section.columns.map(AnswerHelp.text))
      writer.objects("rows", of: Array(section.rows.enumerated())) { writer, numbered in
        let (place, row) = numbered
        writer.member("title", row.name)
        writer.member("help", row.help)
        writer.array("entries", of: row.entries.indices) { writer, column in
          guard let answers = answers(number, place, column),
            let parties = row.entries[column]?.parties
          else { return writer.null() }
          writer.array { writer in
            for answer in answers {
              let scenes = answer.states.map { row.scene(parties, $0) }
              writer.object { writer in
                writer.strings("states", answer.states.map(\.rawValue))
                writer.member("outcome", answer.after.outcome.rawValue)
                writer.member("doubt", answer.after.reason.doubt)
                if answer.isChanged { writer.member("before", answer.before?.rawValue) }
                writer.member("isPinned", scenes.contains(where: pinned.contains))
                if let answer = scenes.compactMap({ tried[$0] }).first {
                  writer.member("tried", answer.outcome.rawValue)
                }
              }
            }
          }
        }
      }
    }
  }
}
