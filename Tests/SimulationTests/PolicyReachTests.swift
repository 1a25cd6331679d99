import Scenario
import SimulationSupport
import TestSupport
import Testing

@testable import Simulation

/// Counts the work of finding assigned policies that reach no app.
@Suite struct PolicyReachTests {
  private static let workloads: [Workload] = [
    Workload("each app has a policy, which the assignment directs") { number in
      (#"{ displayName: "P\#(number)", pinRequired: true }"#, "apps: [com.contoso.shop\(number)]")
    },
    Workload("each app has a policy, which names it") { number in
      let app =
        ##"{ mobileAppIdentifier: { "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", bundleId: com.contoso.shop\##(number) } }"##
      return (#"{ displayName: "P\#(number)", pinRequired: true, apps: [\#(app)] }"#, "")
    },
  ]

  struct Workload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Returns a policy and the further keys of its assignment.
    let policy: @Sendable (Int) -> (json: String, assignment: String)

    init(
      _ description: String,
      _ policy: @escaping @Sendable (Int) -> (json: String, assignment: String)
    ) {
      testDescription = description
      self.policy = policy
    }
  }

  @Test(arguments: workloads)
  func `finding the apps that policies reach takes a linear number of comparisons`(
    workload: Workload
  ) throws {
    let few = try Self.comparisons(workload, count: 20)
    let many = try Self.comparisons(workload, count: 80)
    #expect(few >= 20)
    #expect(many <= 5 * few, "\(few) comparisons, then \(many)")
  }

  private static func comparisons(_ workload: Workload, count: Int) throws -> Int {
    var text = "name: Crowd\naccounts:\n  anna: { upn: anna@contoso.com }\npolicies:\n"
    for number in 0..<count {
      let (json, assignment) = workload.policy(number)
      let keys = ["account: anna", assignment].filter { !$0.isEmpty }.joined(separator: ", ")
      text += "  p\(number): { json: \(json), assign: [{ \(keys) }] }\n"
    }
    text += "apps:\n"
    for number in 0..<count {
      text +=
        "  shop\(number): { bundle: com.contoso.shop\(number), sdk: true, signedIn: [anna] }\n"
    }
    text += "steps:\n  - launch: shop0\n"
    let workspace = try Workspace()
    let file = try workspace.write(text, to: "scenario.yaml")
    let settings = RunSettings(
      programs: .installed(in: Repository.programs), folder: workspace.path("device"))
    let prepared = try ScenarioRun(settings).prepare(ScenarioFiles.read(file))
    var reach = try prepared.onlyDevice.policyReach
    #expect(reach.warnings(except: []) == [])
    return reach.comparisons
  }
}
