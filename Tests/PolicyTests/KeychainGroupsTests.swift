import Model
@testable import Policy
import Testing

struct KeychainGroupsTests {
  static func groups(
    _ accessGroups: [String] = ["TEAM.shared", "TEAM.com.microsoft.intune.mam"],
    _ applicationGroups: [String] = ["group.example"]
  ) throws(EntitlementError) -> KeychainGroups {
    try KeychainGroups(
      team: "TEAM", accessGroups: accessGroups, applicationIdentifier: "TEAM.com.example.app",
      applicationGroups: applicationGroups)
  }

  @Test func `keychain groups have the order of iOS, without duplicates`() throws {
    let groups = try Self.groups(["TEAM.shared", "TEAM.com.example.app"])
    #expect(groups.groups == ["TEAM.shared", "TEAM.com.example.app", "group.example"])
  }

  @Test func `without entitlements, the default keychain group is the app's own`() throws {
    let addition = try Self.groups([]).decide(group: nil, operation: .keychainAdd)
    #expect(addition.groups == ["TEAM.com.example.app"])
  }

  @Test func `an item is added to the default group, and a search covers all groups`() throws {
    let groups = try Self.groups()
    let addition = groups.decide(group: nil, operation: .keychainAdd)
    #expect(addition.groups == ["TEAM.shared"])
    #expect(addition.verdict.words == ["keychainDefaultGroup(device)"])
    for operation in [Operation.keychainQuery, .keychainDelete] {
      let search = groups.decide(group: nil, operation: operation)
      #expect(search.groups == groups.groups)
      #expect(search.verdict.words == ["keychainGroupEntitled(device)"])
    }
  }

  @Test(
    arguments: [
      ("TEAM.shared", true), ("group.example", true), ("TEAM.com.example.app", true),
      ("TEAM.other", false), ("team.shared", false), ("", false),
    ])
  func `a named group requires an entitlement`(group: String, isEntitled: Bool) throws {
    let decision = try Self.groups().decide(group: group, operation: .keychainQuery)
    #expect(decision.groups == (isEntitled ? [group] : []))
    #expect(decision.status == (isEntitled ? nil : -34018))
    #expect(
      decision.verdict.words == [
        isEntitled ? "keychainGroupEntitled(device)" : "keychainGroupNotEntitled(device)"
      ])
  }

  @Test func `a process without keychain groups cannot add keychain items`() throws {
    let groups = try KeychainGroups(team: "TEAM", accessGroups: [], applicationIdentifier: nil)
    let decision = groups.decide(group: nil, operation: .keychainAdd)
    #expect(decision.verdict.words == ["keychainNoGroup(device)"])
    #expect(decision.status == KeychainDecision.missingEntitlement)
  }

  @Test(
    arguments: [
      ("group.a1-b_c.D", true), ("group.", true), ("group.é", false), ("group.a/b", false),
      ("group.a b", false), ("groups.a", false),
    ])
  func `an app group must begin with group. and contain only permitted characters`(
    group: String, isValid: Bool
  ) throws {
    do throws(EntitlementError) {
      #expect(try Self.groups([], [group]).groups.contains(group))
      #expect(isValid)
    } catch {
      #expect(!isValid)
      #expect(
        error.description
          == "the app group `\(group)` must be `group.` followed by letters, digits, `.`, `-` or `_` [notAnAppGroup]"
      )
    }
  }

  @Test(
    arguments: [
      (
        ["TEAM.*"], ["group.example"],
        "the keychain group `TEAM.*` has a wildcard [wildcard]"
      ),
      ([], ["group.*"], "the keychain group `group.*` has a wildcard [wildcard]"),
      (
        ["OTHER.shared"], [],
        "the keychain group `OTHER.shared` does not begin with the team's prefix `TEAM.` [otherTeam]"
      ),
    ])
  func `a keychain group with a wildcard or another team's prefix is an error`(
    accessGroups: [String], applicationGroups: [String], message: String
  ) {
    let error = #expect(throws: EntitlementError.self) {
      try Self.groups(accessGroups, applicationGroups)
    }
    #expect(error?.description == message)
  }
}
