import Analysis
import Encodings
import Foundation
import GraphDocuments
import Model
import Policy
import PolicySupport
import Scenario
import TestSupport
import Testing

@testable import Studio

struct GoalScenarioTests {
  /// A workbench in which every cell of the tables is a goal, in each state of the device.
  private static func pinned(_ settings: Settings, file: String) throws -> Workbench {
    var workbench = Workbench([try PolicyDraft(policyFile(settings), file: file)])
    let index = workbench.policies[0]
    let sections = workbench.comparison(index).after.sections
    for (section, table) in sections.enumerated() {
      for (row, line) in table.rows.enumerated() {
        for (column, entry) in line.entries.enumerated() where entry != nil {
          for state in ManagementState.allCases {
            let cell = Workbench.Cell(section: section, row: row, column: column, state: state)
            let isPinned = workbench.toggleGoal(cell, of: index)
            #expect(isPinned)
          }
        }
      }
    }
    return workbench
  }

  @Test(arguments: 0..<2 * thoroughness)
  func `every goal of the studio becomes a scenario case or is reported as omitted`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let workbench = try Self.pinned(.random(using: &random), file: "exports/base.json")
    let written = workbench.goalFiles(workbench.policies[0])
    #expect(written.files.first?.path == "exports/base.goals.yaml")
    #expect(written.files.count > 3)
    var cases = 0
    for file in written.files {
      #expect(file.text.hasPrefix(GoalScenario.mark))
      let scenario = try Scenario.read(file.text, file: file.path)
      cases += scenario.cases.count
    }
    #expect(cases + written.omitted.count == workbench.goals.count)
    // A result depends on the item that the extension got first, and a step drops by the SDK only.
    #expect(
      written.omitted.allSatisfy {
        $0.hasPrefix("Extension result") || $0.hasPrefix("Drag and drop, by the system")
      })
  }

  @Test func `a goal's case has the flow's app, account and expectation`() throws {
    var workbench = Workbench([try PolicyDraft(policyFile(Settings()), file: "base.json")])
    let index = workbench.policies[0]
    // The first row is "Share, by the SDK"; the third column is "managed -> unmanaged".
    let cell = Workbench.Cell(section: 0, row: 0, column: 2, state: .enrolled)
    _ = workbench.toggleGoal(cell, of: index)
    let isWanted = workbench.want(.blocked, of: [0])
    #expect(isWanted)
    let written = workbench.goalFiles(index)
    #expect(
      written.files.map(\.text) == [
        """
        # Made by `sluice studio` from the goals of a policy. It may be overwritten.
        name: "Goals of Base"
        device:
          threatLevel: secured
          mdm: { enrolled: true }
        accounts:
          anna: { upn: anna@contoso.com }
          carl: { upn: carl@fabrikam.com }
          private: { upn: anna@example.org }
        policies:
          policy:
            file: base.json
            assign:
              - { account: anna, apps: [com.contoso.mail] }
        apps:
          mail: { bundle: com.contoso.mail, provides: Goal, multiIdentity: true, sdk: true, signedIn: [anna, private], mdmManaged: true, configuration: { IntuneMAMUPN: anna@contoso.com } }
          viewer: { bundle: org.example.viewer, provides: Goal }
        cases:
          - name: "1. Share, by the SDK, managed -> unmanaged, enrolled with IntuneMAMUPN"
            steps:
              - launch: [mail, viewer]
              - switchIdentity: { app: mail, to: anna }
              - share: { from: mail, to: viewer, text: Goal }
                expect: { verdict: blocked }

        """
      ])
  }

  @Test func `the device in a goal scenario satisfies the policy's launch conditions`() throws {
    var settings = Settings()
    settings.minimumRequiredOsVersion = Version(17)
    settings.maximumWipeOsVersion = Version(18, 1)
    settings.allowedIosDeviceModels = ["iphone15,2", "iphone14,5"]
    settings.maximumAllowedDeviceThreatLevel = .secured
    var workbench = Workbench([try PolicyDraft(policyFile(settings), file: "base.json")])
    let index = workbench.policies[0]
    let cell = Workbench.Cell(section: 0, row: 0, column: 2, state: .unenrolled)
    _ = workbench.toggleGoal(cell, of: index)
    let text = try #require(workbench.goalFiles(index).files.first?.text)
    #expect(
      text.contains(
        """
        device:
          threatLevel: secured
          osVersion: "18.1"
          model: "iphone14,5"
        accounts:
        """))
    #expect(try Scenario.read(text, file: "base.goals.yaml").cases.count == 1)
  }

  @Test func `a goal scenario contains only the goal's policy`() throws {
    let file =
      "["
      + ["One", "Two"].map { String(decoding: policyFile(Settings(), named: $0), as: UTF8.self) }
      .joined(separator: ",") + "]"
    var workbench = Workbench([try PolicyDraft(Array(file.utf8), file: "all.json")])
    let index = workbench.policies[1]
    let cell = Workbench.Cell(section: 0, row: 0, column: 2, state: .unenrolled)
    _ = workbench.toggleGoal(cell, of: index)
    let written = workbench.goalFiles(index)
    #expect(written.files.map(\.path) == ["all-2.goals.yaml"])
    let text = try #require(written.files.first?.text)
    #expect(text.contains(#"json: {"@odata.type""#))
    #expect(text.contains(#""displayName":"Two""#))
    #expect(try Scenario.read(text, file: "all-2.goals.yaml").cases.count == 1)
  }

  // MARK: Files

  private static func read(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init)
  }

  @Test func `goal scenarios are written beside the policy without overwriting other files`() throws
  {
    let folder = try Workspace()
    let path = try folder.write(
      String(decoding: policyFile(Settings()), as: UTF8.self), to: "base.json")
    let draft = try PolicyDraft(policyFile(Settings()), file: path)
    let session = StudioSession(Workbench([draft]), reading: Self.read)
    let request = #"{"policy": 0, "revision": 0}"#
    let none = try JSONReader.read(try #require(session.answer("scenario", request)))
    #expect(none["error"]?.string == "there are no goals")
    let cell =
      #"{"policy": 0, "revision": 0, "section": 0, "row": 0, "column": 2, "state": "unenrolled"}"#
    _ = session.answer("pin", cell)
    try folder.write("name: My own\n", to: "base.goals.yaml")
    let refused = try JSONReader.read(try #require(session.answer("scenario", request)))
    #expect(
      refused["error"]?.string
        == "`\(folder.path("base.goals.yaml"))` exists and was not made by the workbench; move it first"
    )
    #expect(try folder.read("base.goals.yaml") == "name: My own\n")
    try folder.write("\(GoalScenario.mark)\n", to: "base.goals.yaml")
    let saved = try JSONReader.read(try #require(session.answer("scenario", request)))
    #expect(saved["files"]?.array?.compactMap(\.string) == [folder.path("base.goals.yaml")])
    #expect(saved["isSaved"]?.bool == true)
    #expect(try folder.read("base.goals.yaml").contains("expect: { verdict: allowed }"))
  }
}
