import GraphDocuments
import Model
import Policy
import TestSupport
import Testing

@testable import Host

/// Compares the index of assignments with a search of all of them, and counts its work.
@Suite struct PolicyAssignmentsTests {
  private static let state = DeviceRestrictions()

  private static func document(_ name: String, _ targeting: Targeting = Targeting())
    -> PolicyDocument
  {
    PolicyDocument(displayName: name, file: "\(name).json", targeting: targeting)
  }

  private static func app(_ bundleID: String) -> AppDescription {
    AppDescription(name: bundleID, bundleID: bundleID, integratesSDK: true)
  }

  // MARK: Work

  private static let workloads: [Workload] = [
    Workload("each app has a policy, which the assignment directs") { number in
      ("p\(number)", Targeting(), ["com.example.\(number)"])
    },
    Workload("each app has a policy, which names it") { number in
      ("p\(number)", Targeting(bundleIDs: ["com.example.\(number)"]), nil)
    },
  ]

  struct Workload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let assignment: @Sendable (Int) -> (name: String, targeting: Targeting, apps: [String]?)

    init(
      _ description: String,
      _ assignment:
        @escaping @Sendable (Int) -> (
          name: String, targeting: Targeting, apps: [String]?
        )
    ) {
      testDescription = description
      self.assignment = assignment
    }
  }

  @Test(arguments: workloads)
  func `the number of policy comparisons grows linearly with the number of apps`(workload: Workload)
  {
    let few = Self.comparisons(workload, count: 25)
    #expect(few == 25)
    #expect(Self.comparisons(workload, count: 100) == 4 * few)
  }

  private static func comparisons(_ workload: Workload, count: Int) -> Int {
    let anna = Account(upn: "anna@contoso.com")
    let assignments = (0..<count).map { number in
      let (name, targeting, apps) = workload.assignment(number)
      return PolicyAssignment(document: document(name, targeting), account: anna, apps: apps)
    }
    let policies = PolicyAssignments(assignments, deviceState: state)
    for number in 0..<count {
      let entries = policies.entries(for: anna, in: app("com.example.\(number)"))
      #expect(entries.map(\.index) == [number])
    }
    return policies.comparisons
  }

  @Test func `assigning policies to an account compares only that account's assignments`() {
    func comparisons(_ count: Int) -> Int {
      let assignments = (0..<count).map {
        PolicyAssignment(
          document: Self.document("base", Targeting(appGroup: .allApps)),
          account: Account(upn: "user\($0)@contoso.com"))
      }
      let policies = PolicyAssignments(assignments, deviceState: Self.state)
      for assignment in assignments {
        #expect(policies.entries(for: assignment.account, in: Self.app("com.example.a")).count == 1)
        policies.assign([assignment], to: assignment.account)
      }
      return policies.comparisons
    }
    #expect(comparisons(100) == 4 * comparisons(25))
  }

  // MARK: Law

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `a policy lookup by account and app finds the same entries as a full search`(seed: UInt64)
    throws
  {
    var generator = SeededGenerator(seed: seed)
    let accounts = [
      Account(upn: "anna@contoso.com", objectID: "A1"), Account(upn: "ANNA@contoso.com"),
      Account(upn: "ann@contoso.com", objectID: "a1"), Account(upn: "ben@contoso.com"),
      Account(upn: "ben@contoso.com", objectID: "B2"),
    ]
    let bundles = ["com.example.mail", "com.example.Mail", "com.microsoft.teams"]
    func draw() throws -> PolicyAssignment {
      let named = bundles.filter { _ in Bool.random(using: &generator) }
      let groups = [Targeting.AppGroup.selectedPublicApps, .allApps, .allMicrosoftApps]
      let targeting = Targeting(
        bundleIDs: bundles.filter { _ in Bool.random(using: &generator) },
        appGroup: try #require(groups.randomElement(using: &generator)))
      return PolicyAssignment(
        document: Self.document("p\(Int.random(in: 0..<9, using: &generator))", targeting),
        account: try #require(accounts.randomElement(using: &generator)),
        apps: Bool.random(using: &generator) ? named : nil)
    }
    let policies = PolicyAssignments(try (0..<6).map { _ in try draw() }, deviceState: Self.state)
    for _ in 0..<20 {
      let account = try #require(accounts.randomElement(using: &generator))
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: policies.assign([try draw(), try draw()], to: account)
      case 1: policies.rename(account, to: try #require(accounts.randomElement(using: &generator)))
      default:  // open: otherwise, nothing changes
        break
      }
      for account in accounts {
        for bundle in bundles {
          let naive = policies.assignments.indices.filter { index in
            let assignment = policies.assignments[index]
            return !assignment.isWithdrawn && assignment.account.isSameUser(as: account)
              && assignment.reason(bundleID: bundle, state: .unenrolled) != nil
          }
          let entries = policies.entries(for: account, in: Self.app(bundle))
          #expect(entries.map(\.index) == naive)
          #expect(
            entries.map(\.reason)
              == naive.map {
                policies.assignments[$0].reason(bundleID: bundle, state: .unenrolled)
              })
        }
      }
    }
  }
}
