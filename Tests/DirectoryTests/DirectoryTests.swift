import BitCollections
import Directory
import Encodings
import GraphDocuments
import TestSupport
import Testing

@Suite struct DirectoryTests {
  private static let file = DocumentFile<DirectoryDocuments>("export.json")

  private static func reader(
    users: [String] = [], groups: [String] = []
  ) throws -> DirectoryReader {
    var reader = DirectoryReader()
    for user in users { try reader.read(user: JSONReader.read(user), in: file) }
    for group in groups { try reader.read(group: JSONReader.read(group), in: file) }
    return reader
  }

  @Test func `group members are found by id, by name, through nested groups and by rules`() throws {
    var reader = try Self.reader(
      users: [
        #"{"id": "1", "userPrincipalName": "anna@x.com", "department": "Sales"}"#,
        #"{"id": "2", "userPrincipalName": "ben@x.com", "department": null, "memberOf": [{"id": "g4"}]}"#,
        #"{"id": "3", "userPrincipalName": "cleo@x.com"}"#,
      ],
      groups: [
        #"{"id": "g1", "displayName": "Listed", "members": ["anna@x.com", {"id": "2"}]}"#,
        #"{"id": "g2", "displayName": "Outer", "members": ["g1", "G3"]}"#,
        #"{"id": "g3", "displayName": "Sales", "membershipRule": "user.department -eq \"Sales\""}"#,
        #"{"id": "g4", "displayName": "Silent"}"#,
        #"{"id": "g5", "displayName": "Phones", "membershipRule": "device.deviceOSType -eq \"iOS\""}"#,
      ])
    let directory = reader.builder.finish()
    let ask = { (user: String, group: String) -> Membership in
      directory.membership(
        of: directory.user(user) ?? 0, in: directory.group(GroupReference(name: group)) ?? 0)
    }
    #expect(ask("ANNA@x.com", "listed") == .member([0]))
    #expect(ask("2", "Listed") == .member([0]))
    #expect(ask("anna@x.com", "Outer") == .member([0, 1]))
    #expect(ask("ben@x.com", "Sales") == .notMember)
    #expect(ask("cleo@x.com", "Sales") == .unknown([.attribute("department")]))
    #expect(ask("cleo@x.com", "Outer") == .unknown([.attribute("department")]))
    #expect(ask("anna@x.com", "Silent") == .unknown([.members(of: 3)]))
    #expect(ask("ben@x.com", "Silent") == .member([3]))
    #expect(ask("anna@x.com", "Phones") == .notMember)
  }

  @Test func `a user whose transitiveMemberOf lists all groups is in no other group`() throws {
    var reader = try Self.reader(
      users: [
        #"{"id": "1", "userPrincipalName": "a@x.com", "transitiveMemberOf": [{"id": "g1"}]}"#
      ],
      groups: [#"{"id": "g1", "displayName": "A"}"#, #"{"id": "g2", "displayName": "B"}"#])
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 0) == .member([0]))
    #expect(directory.membership(of: 0, in: 1) == .notMember)
  }

  @Test func `groups that contain each other have the same members`() throws {
    var reader = try Self.reader(
      users: [#"{"id": "1", "userPrincipalName": "a@x.com"}"#],
      groups: [
        #"{"id": "g1", "displayName": "A", "members": ["g2"]}"#,
        #"{"id": "g2", "displayName": "B", "members": ["g1", "1"]}"#,
      ])
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 0) == .member([1, 0]))
    let extents = directory.extents(of: [0, 1])
    #expect(extents[0]?.members == [0] && extents[1]?.members == [0])
  }

  @Test func `a member list of exactly twenty entries counts as incomplete`() throws {
    let members = (0..<20).map { #"{"id": "u\#($0)"}"# }.joined(separator: ",")
    var reader = try Self.reader(
      users: [#"{"id": "1", "userPrincipalName": "a@x.com"}"#],
      groups: [#"{"id": "g1", "displayName": "A", "members": [\#(members)]}"#])
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 0) == .unknown([.members(of: 0)]))
    #expect(reader.builder.warnings.map(\.code) == [.incompleteList, .unknownMember])
  }

  @Test(arguments: [
    (#""gone""#, true), (##"{"@odata.type": "#microsoft.graph.group", "id": "gone"}"##, true),
    (#"{"id": "gone"}"#, true), (#""gone@x.com""#, false),
    (##"{"@odata.type": "#microsoft.graph.user", "id": "gone"}"##, false),
    (#"{"id": "gone", "userPrincipalName": "gone@x.com"}"#, false),
    (##"{"@odata.type": "#microsoft.graph.device", "id": "gone"}"##, false),
  ])
  func `if a member without an entry may be a group, the list of members is incomplete`(
    member: String, isOpen: Bool
  ) throws {
    var reader = try Self.reader(
      users: [#"{"id": "1", "userPrincipalName": "a@x.com"}"#],
      groups: [#"{"id": "g1", "displayName": "A", "members": [\#(member)]}"#])
    let directory = reader.builder.finish()
    #expect(
      directory.membership(of: 0, in: 0) == (isOpen ? .unknown([.members(of: 0)]) : .notMember))
  }

  @Test func `the members of a dynamic group whose rule is paused are unknown`() throws {
    var reader = try Self.reader(
      users: [#"{"userPrincipalName": "a@x.com", "department": "Sales"}"#],
      groups: [
        #"{"displayName": "A", "membershipRule": "user.department -eq \"Sales\"", "#
          + #""membershipRuleProcessingState": "Paused"}"#
      ])
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 0) == .unknown([.members(of: 0)]))
    #expect(reader.builder.warnings.map(\.code) == [.pausedRule])
  }

  @Test func `a memberOf rule needs the members of only the groups that it names`() throws {
    var reader = try Self.reader(
      users: [
        #"{"id": "1", "userPrincipalName": "a@x.com"}"#,
        #"{"id": "2", "userPrincipalName": "b@x.com", "memberOf": [{"id": "far"}]}"#,
      ],
      groups: [
        #"{"id": "g1", "displayName": "A", "members": ["1"]}"#,
        #"{"id": "g2", "displayName": "Silent"}"#,
        #"{"id": "g3", "displayName": "B", "membershipRule": "user.memberOf -any (group.objectId -in ['g1'])"}"#,
        #"{"id": "g4", "displayName": "C", "membershipRule": "user.memberOf -any (group.objectId -eq 'FAR')"}"#,
      ])
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 2) == .member([2]))
    #expect(directory.membership(of: 1, in: 2) == .notMember)
    #expect(directory.membership(of: 0, in: 3) == .unknown([.attribute("memberOf")]))
    #expect(directory.membership(of: 1, in: 3) == .member([3]))
  }

  @Test func `filters for other platforms cause no warning and do not replace filters for iOS`()
    throws
  {
    var reader = DirectoryReader()
    for platform in ["iOS", "windows10AndLater"] {
      let rule = platform == "iOS" ? "device.model -eq 1" : "device.edition -eq 1"
      try reader.read(
        filter: JSONReader.read(
          #"{"displayName": "A", "platform": "\#(platform)", "rule": "\#(rule)"}"#), in: Self.file)
    }
    #expect(reader.builder.warnings.isEmpty)
    #expect(reader.filters["a"]?.platform == "iOS")
  }

  @Test func `an unreadable membership rule is a warning, and the group's members are unknown`()
    throws
  {
    let text = #"{"displayName": "A", "membershipRule": "user.department -eqq \"x\""}"#
    var reader = DirectoryReader()
    try reader.read(user: JSONReader.read(#"{"userPrincipalName": "a@x.com"}"#), in: Self.file)
    try reader.read(
      group: JSONReader.read(text), in: Self.file, text: DocumentText(Array(text.utf8)))
    let directory = reader.builder.finish()
    #expect(directory.membership(of: 0, in: 0) == .unknown([.members(of: 0)]))
    #expect(
      reader.builder.warnings.map(\.description) == [
        "export.json:1:57: warning: the members of `A` are unknown, because its rule cannot be read: "
          + "expected an operator such as `-eq`, found `-eqq` [invalidRule]"
      ])
  }

  @Test func `users and members are read from the admin centre's tables`() throws {
    var reader = DirectoryReader()
    try reader.read(
      table: "\u{FEFF}userPrincipalName,displayName,id,department,jobTitle,officeLocation\r\n"
        + "anna@x.com,\"Smith, Anna\",1,Sales,,\"12\"\"\"\r\nben@x.com,Ben,2,,Boss,\r\n",
      named: "users", file: "users.csv")
    try reader.read(
      table:
        "id,userPrincipalName,displayName,objectType\n1,anna@x.com,Anna,user\n9,,Phone,device\n",
      named: "Sales team", file: "Sales team.csv")
    let directory = reader.builder.finish()
    let anna = try #require(directory.user("anna@x.com"))
    #expect(
      directory.value(of: RuleAttribute("displayName"), for: anna) == .strings(["Smith, Anna"]))
    #expect(directory.value(of: RuleAttribute("jobTitle"), for: anna) == .null)
    #expect(
      directory.value(of: RuleAttribute("physicalDeliveryOfficeName"), for: anna)
        == .strings(["12\""]))
    let group = try #require(directory.group(GroupReference(name: "sales team")))
    #expect(directory.membership(of: anna, in: group) == .member([group]))
    #expect(directory.membership(of: directory.user("2") ?? 0, in: group) == .notMember)
    #expect {
      try reader.read(table: "a,b\n1,2\n", named: "x", file: "x.csv")
    } throws: {
      "\($0)"
        == "x.csv:1:1: error: the table has no column `userPrincipalName` or `id`, only `a`, `b` [foreignTable]"
    }
    #expect {
      try reader.read(table: "id,department\n1,\"Sales\n2,HR\n", named: "x", file: "x.csv")
    } throws: {
      "\($0)" == "x.csv:2:1: error: a quotation mark in this line is not closed [wrongTable]"
    }
  }

  @Test(arguments: [false, true])
  func `a table of members may be named after a group's id that is not a GUID`(isFirst: Bool)
    throws
  {
    let table = "id,userPrincipalName,displayName,objectType\n1,anna@x.com,Anna,user\n"
    var reader = try Self.reader(users: [#"{"id": "1", "userPrincipalName": "anna@x.com"}"#])
    if isFirst { try reader.read(table: table, named: "G-1", file: "G-1.csv") }
    try reader.read(
      group: JSONReader.read(#"{"id": "g-1", "displayName": "Sales"}"#), in: Self.file)
    if !isFirst { try reader.read(table: table, named: "G-1", file: "G-1.csv") }
    let directory = reader.builder.finish()
    #expect(directory.groups.map(\.displayName) == ["Sales"])
    #expect(directory.membership(of: 0, in: 0) == .member([0]))
    #expect(reader.builder.warnings.isEmpty)
  }

  @Test(arguments: [
    "userPrincipalName;displayName;department\r\nanna@x.com;\"Smith; Anna\";Sales, East\r\n",
    "userPrincipalName\tdisplayName\tdepartment\nanna@x.com\tSmith; Anna\tSales, East\n",
    "#TYPE System.Object\r\n\"userPrincipalName\",\"displayName\",\"department\"\r\n"
      + "\"anna@x.com\",\"Smith; Anna\",\"Sales, East\"\r\n",
  ])
  func `user tables written by Excel and PowerShell are read`(table: String) throws {
    var reader = DirectoryReader()
    try reader.read(table: table, named: "users", file: "users.csv")
    let directory = reader.builder.finish()
    let anna = try #require(directory.user("anna@x.com"))
    for (name, value) in [("displayName", "Smith; Anna"), ("department", "Sales, East")] {
      #expect(directory.value(of: RuleAttribute(name), for: anna) == .strings([value]))
    }
    let line = table.hasPrefix("#") ? 3 : 2
    #expect(directory.users[anna].source.position.line == line)
  }

  @Test func `the Microsoft 365 admin centre's list of users is read`() throws {
    var reader = DirectoryReader()
    try reader.read(
      table:
        "Block credential,Display name,Department,First name,Licenses,Object Id,Title,User principal name\n"
        + "False,Anna,Sales,Anna,Microsoft 365 E3+Visio,1,Boss,anna@x.com\n"
        + "True,Ben,,Ben,Unlicensed,2,,ben@x.com\n",
      named: "users", file: "users.csv")
    let directory = reader.builder.finish()
    let (anna, ben) = (directory.user("1"), directory.user("ben@x.com"))
    let first = try #require(anna)
    let second = try #require(ben)
    #expect([first, second].map(directory.isDisabled) == [false, true])
    #expect(directory.isLicensed(first) == true)
    #expect(directory.isLicensed(second) == false)
    for (name, value) in [("department", "Sales"), ("jobTitle", "Boss"), ("givenName", "Anna")] {
      #expect(directory.value(of: RuleAttribute(name), for: first) == .strings([value]), "\(name)")
    }
  }

  @Test(arguments: [
    (#"{"assignedLicenses": []}"#, false), (#"{"assignedLicenses": [{"skuId": "1"}]}"#, true),
    (#"{"licensed": true}"#, true), (#"{"licensed": false}"#, false),
    (#"{"assignedPlans": [{"service": "SCO", "capabilityStatus": "Enabled"}]}"#, true),
    (#"{"assignedPlans": [{"service": "SCO", "capabilityStatus": "Deleted"}]}"#, false),
    ("{}", nil),
  ])
  func `a user's licence is read from the licences or plans in the user's entry`(
    text: String, isLicensed: Bool?
  ) throws {
    let user = #"{"userPrincipalName": "a@x.com", "# + text.dropFirst()
    var reader = try Self.reader(users: [user.replacing(", }", with: "}")])
    #expect(reader.builder.finish().isLicensed(0) == isLicensed)
  }

  /// The memberships of all groups together, and those of one user at a time, have separate
  /// implementations.
  @Test func `the list of a group's members agrees with the membership of each user`() throws {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<60 * thoroughness {
      var reader = DirectoryReader()
      let (users, groups) = (
        Int.random(in: 1...8, using: &random), Int.random(in: 1...6, using: &random)
      )
      for user in 0..<users {
        let department = ["\"Sales\"", "\"HR\"", "null", ""].randomElement(using: &random) ?? ""
        let attribute = department.isEmpty ? "" : #", "department": \#(department)"#
        let own =
          Bool.random(using: &random)
          ? #", "memberOf": [{"id": "g\#(Int.random(in: 0..<groups, using: &random))"}]"# : ""
        let all = Int.random(in: 0..<5, using: &random) == 0 ? #", "transitiveMemberOf": []"# : ""
        try reader.read(
          user: JSONReader.read(
            #"{"id": "u\#(user)", "userPrincipalName": "u\#(user)@x.com"\#(attribute)\#(own)\#(all)}"#
          ),
          in: Self.file)
      }
      for group in 0..<groups {
        let rules = [
          #""membershipRule": "user.department -eq \"Sales\"""#,
          #""membershipRule": "user.department -ne \"HR\" -or user.objectId -eq \"u1\"""#,
          #""membershipRule": "user.memberOf -any (group.objectId -in ['g0'])""#, "", "",
        ]
        let members = (0..<3).map { _ in
          Bool.random(using: &random)
            ? #""u\#(Int.random(in: 0..<users, using: &random))""#
            : #""g\#(Int.random(in: 0..<groups, using: &random))""#
        }
        let body =
          [
            rules.randomElement(using: &random) ?? "",
            #""members": [\#(members.joined(separator: ","))]"#,
          ]
          .randomElement(using: &random) ?? ""
        try reader.read(
          group: JSONReader.read(
            #"{"id": "g\#(group)", "displayName": "G\#(group)"\#(body.isEmpty ? "" : ", " + body)}"#
          ),
          in: Self.file)
      }
      let directory = reader.builder.finish()
      let extents = directory.extents(of: directory.groups.indices)
      for group in directory.groups.indices {
        for user in directory.users.indices {
          let extent = try #require(extents[group])
          switch directory.membership(of: user, in: group) {
          case .member: #expect(extent.members.contains(user) && !extent.unknown.contains(user))
          case .notMember: #expect(!extent.members.contains(user) && !extent.unknown.contains(user))
          case .unknown: #expect(!extent.members.contains(user) && extent.unknown.contains(user))
          }
        }
      }
    }
  }
}
