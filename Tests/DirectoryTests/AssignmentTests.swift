import Directory
import Encodings
import GraphDocuments
import TestSupport
import Testing

@Suite struct AssignmentTests {
  /// A user with known and unknown memberships.
  private struct User: UserFacts {
    var groups: [Int: Bool] = [:]
    var isLicensed: Bool? = true
    var hasAllGroups = false

    func membership(_ group: Int) -> Bool? { groups[group] }
  }

  private static let judge: AssignmentJudge = {
    var reader = DirectoryReader()
    let file = DocumentFile<DirectoryDocuments>("groups.json")
    for name in ["a", "b", "c", "d"] {
      reader.builder.add(
        groupID: nil, displayName: name, .nothing,
        source: Directory.Source(file: "groups.json", position: Position(line: 1, column: 1)))
    }
    for (id, rule) in [
      ("true", #"app.deviceManufacturer -eq "Apple""#),
      ("false", #"app.deviceManufacturer -ne "Apple""#), ("open", #"app.osVersion -eq "17""#),
    ] {
      let text =
        #"{"id": "\#(id)", "displayName": "\#(id)", "rule": "\#(rule.replacing("\"", with: "\\\""))"}"#
      try? reader.read(filter: JSONReader.read(text), in: file)
    }
    return AssignmentJudge(
      reader.builder.finish(), filters: reader.filters, unknownLicences: .asked)
  }()

  /// Reads assignments. Examples are `a`, `-b`, `all`, `a+true` (include) and `a-false` (exclude).
  private static func assignments(_ text: String) throws -> [Assignment] {
    let entries = text.split(separator: " ").map { word -> String in
      var name = String(word)
      let isExclusion = name.hasPrefix("-")
      if isExclusion { name.removeFirst() }
      var filter = ""
      for (mark, mode) in [("+", "include"), ("-", "exclude")] {
        let parts = name.split(separator: Character(mark)).map(String.init)
        guard parts.count == 2 else { continue }
        name = parts[0]
        filter =
          #","deviceAndAppManagementAssignmentFilterId":"\#(parts[1])","deviceAndAppManagementAssignmentFilterType":"\#(mode)""#
      }
      let type =
        switch name {
        case "all": "allLicensedUsersAssignmentTarget"
        case "devices": "allDevicesAssignmentTarget"
        default:  // open: names of groups
          isExclusion ? "exclusionGroupAssignmentTarget" : "groupAssignmentTarget"
        }
      return
        ##"{"target":{"@odata.type":"#microsoft.graph.\##(type)","groupName":"\##(name)"\##(filter)}}"##
    }
    let document = try JSONReader.read(#"{"assignments": [\#(entries.joined(separator: ","))]}"#)
    return try #require(Assignment.assignments(of: document))
  }

  @Test(arguments: [
    ("", Reach.notAssigned), ("a", .applies([0])), ("b", .notAssigned), ("b a", .applies([1])),
    ("all", .applies([0])), ("devices", .notAssigned),
    // Exclusion takes precedence over inclusion, regardless of the order.
    ("a -a", .excluded(1)), ("-a a", .excluded(0)), ("all -a", .excluded(1)),
    ("a -b", .applies([0])),
    ("-b", .notAssigned),
    // An exclusion is the reason even if nothing includes the user.
    ("b -a", .excluded(1)), ("devices -a", .excluded(1)),
    // A filter applies to its own assignment.
    ("a+true", .applies([0])), ("a+false", .filtered([0])), ("a-true", .filtered([0])),
    ("a-false", .applies([0])),
    // Excluding filters take precedence over no filter, and no filter takes precedence over
    // including filters.
    ("a all-true", .filtered([1])), ("a all-false", .applies([1])), ("a all+false", .applies([0])),
    ("a+true all-true", .filtered([1])), ("a+true all-false", .applies([1])),
    // Filters of one mode are combined.
    ("a+true all+false", .applies([0])), ("a+false all+false", .filtered([0, 1])),
    ("a-true all-false", .filtered([0])), ("a-false all-false", .applies([0, 1])),
  ])
  func `exclusions and filter modes take precedence as documented`(
    text: String, reach: Reach
  ) throws {
    let user = User(groups: [0: true, 1: false, 2: false, 3: false])
    let alternatives = Assumptions.explore { facts in
      Self.judge.reach(
        of: (try? Self.assignments(text)) ?? [], user: user,
        device: FilteredDevice(isManaged: false),
        &facts)
    }
    #expect(alternatives?.map(\.answer) == [reach])
  }

  @Test(arguments: [
    ("a", Reach.unlicensed([0])), ("b a-false", .unlicensed([1])), ("all", .notAssigned),
    ("a all", .unlicensed([0])), ("a -a", .excluded(1)), ("a+false", .filtered([0])),
    // Whether the user is in `c` is unknown, as is the result of the filter `open`. Neither matters.
    ("c", .unlicensed([])), ("a -c", .unlicensed([])), ("a+open", .unlicensed([])),
    ("c -a", .excluded(1)),
  ])
  func `an assignment to a group does not reach a member without a licence`(
    text: String, reach: Reach
  ) throws {
    let user = User(groups: [0: true, 1: false], isLicensed: false)
    let alternatives = Assumptions.explore { facts in
      Self.judge.reach(
        of: (try? Self.assignments(text)) ?? [], user: user,
        device: FilteredDevice(isManaged: false), &facts)
    }
    #expect(alternatives?.map(\.answer) == [reach])
  }

  @Test func `unless assumed to be granted, an unknown licence gives two alternatives`()
    throws
  {
    let user = User(groups: [0: true], isLicensed: nil)
    let assignments = try Self.assignments("a")
    for (licences, answers) in [
      (AssignmentJudge.UnknownLicences.asked, [Reach.applies([0]), .unlicensed([0])]),
      (.granted, [.applies([0])]),
    ] {
      let judge = AssignmentJudge(
        Self.judge.directory, filters: [:], unknownLicences: licences)
      let alternatives = Assumptions.explore { facts in
        judge.reach(
          of: assignments, user: user, device: FilteredDevice(isManaged: false), &facts)
      }
      #expect(alternatives?.map(\.answer) == answers)
    }
  }

  @Test func `a configuration for managed devices also reaches users without a licence`() throws {
    let assignments = try Self.assignments("a")
    let alternatives = Assumptions.explore { facts in
      Self.judge.reach(
        of: assignments, user: User(groups: [0: true], isLicensed: false),
        device: FilteredDevice(isManaged: true), isForUsers: false, &facts)
    }
    #expect(alternatives?.map(\.answer) == [.applies([0])])
  }

  @Test func `an assignment to all devices reaches only managed devices`() throws {
    let assignments = try Self.assignments("devices")
    for isManaged in [true, false] {
      let alternatives = Assumptions.explore { facts in
        Self.judge.reach(
          of: assignments, user: User(), device: FilteredDevice(isManaged: isManaged),
          isForUsers: false, &facts)
      }
      #expect(alternatives?.map(\.answer.isApplied) == [isManaged])
    }
  }

  @Test
  func `unknown device group membership matters only for documents assignable to managed devices`()
    throws
  {
    var reader = DirectoryReader()
    reader.builder.add(
      groupID: nil, displayName: "a", .devices,
      source: Directory.Source(file: "groups.json", position: Position(line: 1, column: 1)))
    let judge = AssignmentJudge(
      reader.builder.finish(), filters: [:], unknownLicences: .asked)
    for (isManaged, isForUsers, answers) in [
      (true, false, [true, false]), (false, false, [false]), (true, true, [false]),
    ] {
      let alternatives = Assumptions.explore { facts in
        judge.reach(
          of: (try? Self.assignments("a")) ?? [], user: User(groups: [0: false]),
          device: FilteredDevice(isManaged: isManaged), isForUsers: isForUsers, &facts)
      }
      #expect(alternatives?.map(\.answer.isApplied) == answers)
    }
  }

  @Test func `an assignment's alternatives omit unknown facts that cannot change its result`()
    throws
  {
    for (text, user) in [
      ("all a b+open", User()), ("a -b", User(groups: [1: true])),
      ("-a b", User(groups: [1: false])),
    ] {
      let alternatives = Assumptions.explore { facts in
        Self.judge.reach(
          of: (try? Self.assignments(text)) ?? [], user: user,
          device: FilteredDevice(isManaged: false), &facts)
      }
      #expect(alternatives?.count == 1, "\(text)")
    }
  }

  /// Evaluates assignments whose facts are all known, in the order of the documentation's
  /// sentences.
  private static func naive(
    _ assignments: [Assignment], members: Set<String>, isLicensed: Bool, trueFilters: Set<String>
  ) -> Bool {
    for assignment in assignments {
      if case .exclusion(let group) = assignment.target, members.contains(group.text) {
        return false
      }
    }
    let mine = assignments.filter { assignment in
      switch assignment.target {
      case .group(let group): members.contains(group.text)
      case .allLicensedUsers: isLicensed
      case .exclusion, .allDevices, .other: false
      }
    }
    if mine.isEmpty || !isLicensed { return false }
    let excluding = mine.compactMap(\.filter).filter { $0.mode == .exclude }
    if !excluding.isEmpty { return !excluding.contains { trueFilters.contains($0.name) } }
    if mine.contains(where: { $0.filter == nil }) { return true }
    return mine.compactMap(\.filter).contains { trueFilters.contains($0.name) }
  }

  @Test func `alternatives agree with naive evaluation of all combinations of unknown facts`()
    throws
  {
    var random = SeededGenerator(seed: 11)
    let words = [
      "a", "b", "c", "-a", "-b", "all", "a+true", "b+open", "c-open", "all+false", "d-true",
    ]
    for _ in 0..<400 * thoroughness {
      let text = (0..<Int.random(in: 0...4, using: &random))
        .map { _ in words.randomElement(using: &random) ?? "a" }.joined(separator: " ")
      let assignments = try Self.assignments(text)
      var user = User(isLicensed: [true, false, nil].randomElement(using: &random) ?? nil)
      for group in 0..<4 {
        if let known = [true, false, nil].randomElement(using: &random) ?? nil {
          user.groups[group] = known
        }
      }
      let question = { (facts: inout Assumptions) in
        Self.judge.reach(
          of: assignments, user: user, device: FilteredDevice(isManaged: false), &facts
        ).isApplied
      }
      let alternatives = try #require(Assumptions.explore(question))
      let facts = Set(Assumptions.facts(of: question))
      #expect(facts.isSuperset(of: alternatives.flatMap { $0.facts.map(\.fact) }), "\(text)")
      // Every completion of the facts must fall under exactly one alternative, and have the naive
      // answer.
      for choice in 0..<64 {
        let bit = { (index: Int) in choice >> index & 1 == 1 }
        let members = Set(
          ["a", "b", "c", "d"].enumerated().filter { user.groups[$0.offset] ?? bit($0.offset) }
            .map(\.element))
        let isLicensed = user.isLicensed ?? bit(4)
        let filters: Set<String> = bit(5) ? ["true", "open"] : ["true"]
        let matching = alternatives.filter { alternative in
          alternative.facts.allSatisfy { fact, holds in
            switch fact {
            case .membership(let group): bit(group) == holds
            case .licence: bit(4) == holds
            case .filter: bit(5) == holds
            case .absentGroup, .deviceMembership, .roles, .guest, .managedDevice: false
            }
          }
        }
        let expected = Self.naive(
          assignments, members: members, isLicensed: isLicensed, trueFilters: filters)
        #expect(matching.map(\.answer) == [expected], "\(text)")
      }
    }
  }

  @Test
  func `an answer that depends on more than six facts names the facts instead of alternatives`() {
    let all = (0..<40).map(UnknownFact.membership)
    // Every fact counts. The last fact counts only if the first holds and all others do not.
    let question = { (facts: inout Assumptions) in
      let number = all.dropLast().count { facts.holds($0) }
      return facts.holds(all[0]) && number == 1 ? facts.holds(all[39]) : number > 2
    }
    #expect(Assumptions.explore(question) == nil)
    #expect(Assumptions.facts(of: question) == all)
  }
}
