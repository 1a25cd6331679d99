import Simulation
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the restrictions that Apple documents for supervised devices.
  @Suite struct SupervisionTests {
    private static let profile = Repository.path("scenarios/profiles/functions.mobileconfig")

    /// The declarations that apply the profile.
    private static let declarations = """
      [
        { "Type": "com.apple.activation.simple", "Identifier": "all", "ServerToken": "1",
          "Payload": { "StandardConfigurations": ["functions"] } },
        { "Type": "com.apple.configuration.legacy", "Identifier": "functions", "ServerToken": "1",
          "Payload": { "ProfileURL": "functions.mobileconfig" } }
      ]
      """

    /// The forms in which a scenario states the restrictions: the value of `device`.
    static let forms = [
      "{ mdm: { enrolled: true, supervised: SUPERVISED, allowWritingTools: false, allowGenmoji: false } }",
      "{ mdm: { enrolled: true, supervised: SUPERVISED, profile: declared/functions.mobileconfig } }",
      "{ mdm: { enrolled: true, supervised: SUPERVISED }, declarations: declared }",
    ]

    private static func scenario(_ form: String, isSupervised: Bool, in workspace: Workspace) throws
      -> String
    {
      try workspace.write(declarations, to: "declared/all.json")
      try workspace.copy(profile, to: "declared/functions.mobileconfig")
      let verdict = isSupervised ? "blocked" : "allowed"
      return try workspace.write(
        """
        device: \(form.replacing("SUPERVISED", with: "\(isSupervised)"))
        apps:
          notes: { bundle: org.example.notes }
        steps:
          - launch: notes
          - use: { app: notes, feature: writingTools, text: Plan }
            expect: { verdict: \(verdict), reason: \(isSupervised ? "writingToolsRestriction" : "noRuleApplied") }
          - use: { app: notes, feature: genmoji, text: Plan }
            expect: { verdict: \(verdict), reason: \(isSupervised ? "genmojiRestriction" : "noRuleApplied") }
        """, to: "scenario.yaml")
    }

    @Test(arguments: forms, [true, false])
    func `restrictions for supervised devices have no effect on other devices`(
      form: String, isSupervised: Bool
    ) throws {
      let workspace = try Workspace()
      expectPass(
        try Stage().play(Self.scenario(form, isSupervised: isSupervised, in: workspace)))
    }

    @Test(arguments: [
      (forms[0], true, 0), (forms[0], false, 2), (forms[1], true, 0), (forms[1], false, 2),
    ])
    func `a note names each restriction that needs a supervised device`(
      form: String, isSupervised: Bool, count: Int
    ) throws {
      let workspace = try Workspace()
      let file = try Self.scenario(form, isSupervised: isSupervised, in: workspace)
      let run = ScenarioRun(
        RunSettings(
          programs: .installed(in: Repository.programs), folder: workspace.path("devices")))
      let notes = try run.prepare(ScenarioFiles.read(file)).warnings.filter {
        $0.contains("has no effect, because it needs a supervised device")
      }
      #expect(notes.count == count, "\(notes)")
      #expect(notes.allSatisfy { $0.contains("scenario.yaml: note: `allow") })
    }
  }
}
