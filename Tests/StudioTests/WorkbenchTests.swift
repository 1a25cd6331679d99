import Encodings
import GraphDocuments
import Model
import Policy
import PolicySupport
import TestSupport
import Testing

@testable import Studio

struct WorkbenchTests {
  private static func workbench(_ settings: Settings) throws -> Workbench {
    Workbench([try PolicyDraft(policyFile(settings), file: "base.json")])
  }

  private struct Shown {
    var cell: Workbench.Cell
    var title: String
    var outcome: String
  }

  /// Returns every cell of the tables in a state, with its outcome.
  private static func cells(_ state: JSONValue) -> [Shown] {
    let names = state["states"]?.array?.compactMap(\.string) ?? []
    let titles = Dictionary(
      uniqueKeysWithValues: zip(names, state["stateTitles"]?.array?.compactMap(\.string) ?? []))
    var cells: [Shown] = []
    for (section, table) in (state["sections"]?.array ?? []).enumerated() {
      let columns = table["columns"]?.array?.compactMap(\.string) ?? []
      for (row, line) in (table["rows"]?.array ?? []).enumerated() {
        for (column, entry) in (line["entries"]?.array ?? []).enumerated() {
          for answer in entry.array ?? [] {
            for name in answer["states"]?.array?.compactMap(\.string) ?? [] {
              let state = ManagementState(rawValue: name) ?? .unenrolled
              cells.append(
                Shown(
                  cell: .init(section: section, row: row, column: column, state: state),
                  title:
                    "\(line["title"]?.string ?? ""), \(columns[column]), \(titles[name] ?? "")",
                  outcome: answer["outcome"]?.string ?? ""))
            }
          }
        }
      }
    }
    return cells
  }

  private static func edit(_ values: JSONValue?) throws -> SettingEdit {
    try SettingEdit(
      (values?.members ?? []).compactMap { member in
        Setting(rawValue: member.name).map { (setting: $0, json: member.value) }
      })
  }

  @Test(arguments: 0..<4 * thoroughness)
  func `each change that the workbench proposes for a cell has the stated outcome`(seed: Int) throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let workbench = try Self.workbench(.random(using: &random))
    let index = workbench.policies[0]
    let cells = Self.cells(try JSONReader.read(workbench.state(index)))
    #expect(cells.count > 100)
    var proposals = 0
    for shown in cells where random.flag(outOf: 12) {
      let explanation = try JSONReader.read(
        #require(workbench.explanation(of: shown.cell, in: index)))
      #expect(explanation["outcome"]?.string == shown.outcome)
      #expect(explanation["title"]?.string == shown.title)
      for proposal in explanation["proposals"]?.array ?? [] {
        proposals += 1
        var changed = workbench
        changed.change(index, try Self.edit(proposal["values"]))
        let state = try JSONReader.read(changed.state(index))
        // The rows can change with the settings.
        let outcomes = Self.cells(state).filter { $0.title == shown.title }.map(\.outcome)
        #expect(outcomes == [proposal["outcome"]?.string ?? ""], "\(shown.title)")
        #expect(state["changedAnswers"]?.int == proposal["changedAnswers"]?.int)
      }
    }
    #expect(proposals > 0)
  }

  @Test(arguments: 0..<6 * thoroughness)
  func `each proposed solution of the workbench meets all goals`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var workbench = try Self.workbench(.random(using: &random))
    let index = workbench.policies[0]
    let cells = Self.cells(try JSONReader.read(workbench.state(index)))
    for (number, place) in [1 + random.number(to: cells.count - 2), 0].enumerated() {
      let isPinned = workbench.toggleGoal(cells[place].cell, of: index)
      #expect(isPinned)
      let other: Outcome = cells[place].outcome == "allowed" ? .blocked : .allowed
      let isWanted = workbench.want(other, of: [number])
      #expect(isWanted)
    }
    let found = try JSONReader.read(workbench.solutions(for: index))["solutions"]?.array ?? []
    for solution in found {
      var changed = workbench
      changed.change(index, try Self.edit(solution["values"]))
      let goals = try JSONReader.read(changed.state(index))["goals"]?.array ?? []
      #expect(goals.count == 2)
      for goal in goals { #expect(goal["wanted"]?.string == goal["outcome"]?.string) }
    }
  }

  @Test
  func `pinning a column of the answer table sets a goal for each cell`()
    throws
  {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
    var workbench = try Self.workbench(settings)
    let index = workbench.policies[0]
    let isPinned = workbench.pinColumn(2, ofSection: 0, of: index, wanting: .blocked)
    #expect(isPinned)
    let goals = try JSONReader.read(workbench.state(index))["goals"]?.array ?? []
    let cells = Self.cells(try JSONReader.read(workbench.state(index))).filter {
      $0.cell.section == 0 && $0.cell.column == 2
    }
    #expect(Set(goals.compactMap { $0["name"]?.string }).count == Set(cells.map(\.cell.row)).count)
    #expect(goals.allSatisfy { $0["wanted"]?.string == "blocked" })
    let solutions = try JSONReader.read(workbench.solutions(for: index))["solutions"]?.array ?? []
    #expect(
      solutions.contains { $0["values"]?["filterOpenInToOnlyManagedApps"]?.bool == true },
      "\(solutions)")
    // Pinned again, the same goals want another answer.
    _ = workbench.pinColumn(2, ofSection: 0, of: index, wanting: .allowed)
    let again = try JSONReader.read(workbench.state(index))["goals"]?.array ?? []
    #expect(again.count == goals.count)
    #expect(again.allSatisfy { $0["wanted"]?.string == "allowed" })
    let isRemoved = workbench.removeGoals(Array(again.indices))
    #expect(isRemoved)
    let isAbsent = workbench.pinColumn(9, ofSection: 0, of: index, wanting: .blocked)
    #expect(!isAbsent)
    let isUnknown = workbench.want(.blocked, of: [0])
    #expect(!isUnknown)
  }

  @Test func `the solution for a goal about sharing changes the blocking setting`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .none
    var workbench = try Self.workbench(settings)
    let index = workbench.policies[0]
    let share = Workbench.Cell(section: 0, row: 0, column: 0, state: .unenrolled)
    let isPinned = workbench.toggleGoal(share, of: index, wanting: .allowed)
    #expect(isPinned)
    let solutions = try JSONReader.read(workbench.solutions(for: index))["solutions"]?.array ?? []
    let name = "allowedOutboundDataTransferDestinations"
    #expect(solutions.first?["values"]?[name]?.string == "managedApps")
    // If a pinned answer is selected again, the goal is removed.
    let isRemoved = workbench.toggleGoal(share, of: index)
    #expect(isRemoved)
    #expect(try JSONReader.read(workbench.state(index))["goals"]?.array?.isEmpty == true)
  }

  @Test
  func `the workbench state marks changed settings, changed answers and settings without effect`()
    throws
  {
    var workbench = try Self.workbench(Settings())
    let index = workbench.policies[0]
    workbench.change(
      index, try SettingEdit("Send org data to other apps", "Policy managed apps"))
    let state = try JSONReader.read(workbench.state(index))
    #expect(state["revision"]?.int == 1)
    let lines = (state["pages"]?.array ?? []).flatMap { $0["lines"]?.array ?? [] }
    let changed = lines.filter { $0["before"] != nil }
    #expect(changed.map { $0["title"]?.string } == ["Send org data to other apps"])
    #expect(changed.map { $0["before"]?.string } == ["All apps"])
    #expect((state["changedAnswers"]?.int ?? 0) > 10)
    let shown = (state["sections"]?.array ?? []).flatMap { $0["rows"]?.array ?? [] }
      .flatMap { $0["entries"]?.array ?? [] }.flatMap { $0.array ?? [] }
    #expect(state["changedAnswers"]?.int == shown.filter { $0["before"] != nil }.count)
    let dead = lines.filter { $0["noEffect"]?.string != nil }
    let names = dead.flatMap { $0["properties"]?.array ?? [] }.compactMap(\.string)
    // No PIN is required.
    #expect(names.contains("minimumPinLength"))
    #expect(!names.contains("printBlocked"))
    let difference = try JSONReader.read(workbench.difference(index))["lines"]?.array ?? []
    let marks = Set(difference.compactMap { $0["mark"]?.string })
    #expect(marks.isSuperset(of: ["+", "-"]))
  }

  @Test func `the workbench has no explanation for a cell outside its tables`() throws {
    let workbench = try Self.workbench(Settings())
    for (section, row, column) in [(99, 0, 0), (0, 99, 0), (0, 0, 99), (-1, 0, 0)] {
      let cell = Workbench.Cell(section: section, row: row, column: column, state: .enrolled)
      #expect(workbench.explanation(of: cell, in: workbench.policies[0]) == nil)
    }
  }
}
