import Directory
import Encodings
import GraphDocuments
import Output
import TestSupport
import Testing

/// Tests `directory.yaml`, which Sluice reads as a JSON value with the positions of YAML.
@Suite struct WrittenDirectoryTests {
  private static func file(
    _ text: String, named name: String = "directory.yaml"
  ) throws -> WrittenDirectory {
    WrittenDirectory(
      try JSONReader.read(text), text: text, in: DocumentFile<DirectoryDocuments>(name))
  }

  private static func errors(
    _ texts: String..., named: [GroupReference] = []
  ) throws -> [String] {
    var builder = DirectoryBuilder()
    return WrittenDirectory.add(
      try texts.map { try file($0) }, to: &builder, named: named
    ).map { $0.diagnostic.description }
  }

  private static func directory(
    _ text: String, after reader: DirectoryReader = DirectoryReader(),
    named: [GroupReference] = []
  ) throws -> Directory {
    var reader = reader
    #expect(
      WrittenDirectory.add([try file(text)], to: &reader.builder, named: named).isEmpty)
    return reader.builder.finish()
  }

  private static func ask(_ directory: Directory, _ user: String, _ group: String) -> Membership {
    directory.membership(
      of: directory.user(user) ?? 0,
      in: directory.group(GroupReference(id: group, name: group)) ?? 0)
  }

  // MARK: Users and groups

  @Test func `directory.yaml defines users, members, nested groups and membership rules`() throws {
    let directory = try Self.directory(
      #"""
      {"users": {"anna@x.com": {"id": "U1", "department": "Sales"},
                 "ben@x.com": {"department": null, "licensed": false},
                 "cleo@x.com": null, "dora@x.com": {"groups": ["Listed"]}},
       "groups": {"Listed": ["u1", "Sales"], "Sales": {"rule": "user.department -eq \"Sales\""},
                  "Outer": {"id": "G1", "members": ["Listed", "BEN@x.com"]}}}
      """#)
    #expect(directory.users.map(\.upn) == ["anna@x.com", "ben@x.com", "cleo@x.com", "dora@x.com"])
    #expect(Self.ask(directory, "anna@x.com", "Listed") == .member([0]))
    #expect(Self.ask(directory, "ben@x.com", "g1") == .member([2]))
    #expect(Self.ask(directory, "ben@x.com", "Sales") == .notMember)
    #expect(Self.ask(directory, "cleo@x.com", "Outer") == .unknown([.attribute("department")]))
    #expect(Self.ask(directory, "dora@x.com", "Outer") == .member([0, 2]))
    #expect(Self.ask(directory, "dora@x.com", "Sales") == .notMember)
    #expect((0..<4).map { directory.isLicensed($0) } == [true, false, true, true])
  }

  @Test func `directory.yaml may list users by name only, and groups without members`() throws {
    let directory = try Self.directory(
      #"{"users": ["anna@x.com"], "groups": {"A": [], "B": null}}"#)
    #expect(Self.ask(directory, "anna@x.com", "A") == .notMember)
    #expect(Self.ask(directory, "anna@x.com", "B") == .unknown([.members(of: 1)]))
  }

  @Test func `the export takes precedence over directory.yaml`() throws {
    var reader = DirectoryReader()
    let export = DocumentFile<DirectoryDocuments>("users.json")
    for user in [
      #"{"userPrincipalName": "anna@x.com", "id": "1", "department": "Sales", "assignedLicenses": []}"#,
      #"{"userPrincipalName": "ben@x.com", "id": "2"}"#,
    ] {
      try reader.read(user: JSONReader.read(user), in: export)
    }
    let directory = try Self.directory(
      #"{"users": {"anna@x.com": {"department": "Service", "city": "Oslo"}, "ben@x.com": null}}"#,
      after: reader)
    #expect(directory.users.count == 2)
    #expect(directory.value(of: RuleAttribute("department"), for: 0) == .strings(["Sales"]))
    #expect(directory.value(of: RuleAttribute("city"), for: 0) == .strings(["Oslo"]))
    #expect(directory.isLicensed(0) == false)
    #expect(directory.isLicensed(1) == true)
  }

  @Test func `a user in directory.yaml may be in a group that only assignments name`() throws {
    let named = [GroupReference(id: "G7"), GroupReference(name: "Sales")]
    let directory = try Self.directory(
      #"{"users": {"anna@x.com": {"groups": ["g7", "sales"]}, "ben@x.com": {"groups": []}}}"#,
      named: named)
    for reference in named {
      let group = try #require(directory.group(reference))
      #expect(directory.membership(of: 0, in: group) == .member([group]))
      #expect(directory.membership(of: 1, in: group) == .notMember)
    }
  }

  @Test(arguments: [
    ("exports/directory.yaml", true), ("Directory.YML", true), ("a/b/directory.json", false),
    ("my-directory.yaml", false), ("users.yaml", false),
  ])
  func `a file is recognised as directory.yaml by its name`(path: String, isDirectory: Bool) {
    #expect(WrittenDirectory.isName(path) == isDirectory)
  }

  // MARK: Errors

  @Test(
    arguments: table(
      """
      {"user": {}}
      => 1:2: error: the file has no key `user`; did you mean `users`? [unknownKey]
      {"filters": {}}
      => 1:2: error: the file has no key `filters`; expected `users` or `groups` [unknownKey]
      ["anna@x.com"]
      => 1:1: error: the file must be a mapping with `users` or `groups`, found a list [wrongType]
      {"users": {"a@x.com": {"departmant": "Sales"}}}
      => 1:24: error: the user `a@x.com` has no key `departmant`; did you mean `department`? [unknownKey]
      {"users": {"a@x.com": {"memberOf": []}}}
      => 1:24: error: the user `a@x.com` has no key `memberOf`; did you mean `groups`? [unknownKey]
      {"users": {"anna": {}}}
      => 1:12: error: a user is named by the user principal name, such as `anna@contoso.com`, found `anna` [invalidName]
      {"users": {"a@x.com": {"licensed": "yes"}}}
      => 1:36: error: `licensed` must be `true` or `false`, found `yes` [wrongType]
      {"users": {"a@x.com": {"city": ["Oslo"]}}}
      => 1:32: error: `city` must be text, found a list [wrongType]
      {"users": {"a@x.com": {"groups": "Sales"}}}
      => 1:34: error: `groups` must be a list, found `Sales` [wrongType]
      {"groups": {"Sales": {"member": []}}}
      => 1:23: error: the group `Sales` has no key `member`; did you mean `members`? [unknownKey]
      {"groups": {"Sales": {"members": [], "rule": "user.city -eq null"}}}
      => 1:38: error: the group `Sales` has `members` or `rule`, not both [conflictingKeys]
      {"groups": {"Sales": "anna@x.com"}}
      => 1:22: error: the group `Sales` must be a mapping with `id`, `members` or `rule`, found `anna@x.com` [wrongType]
      {"users": ["anna@x.com"], "groups": {"Sales": ["ana@x.com"]}}
      => 1:48: error: no user or group is called `ana@x.com`; did you mean `anna@x.com`? [unknownName]
      {"groups": {"Sales": ["zoe@x.com"]}}
      => 1:23: error: no user or group is called `zoe@x.com`; list the user in `users` [unknownName]
      {"users": {"a@x.com": {"groups": ["Sale"]}}, "groups": {"Sales": []}}
      => 1:35: error: no group is called `Sale`; did you mean `Sales`? [unknownName]
      """))
  func `an error in directory.yaml has a position and a suggestion`(
    text: String, error: String
  ) throws {
    #expect(try Self.errors(text) == ["directory.yaml:" + error])
  }

  @Test func `an unreadable membership rule is an error at its position within the rule`() throws {
    let error = try #require(
      try Self.errors(
        #"{"groups": {"Sales": {"rule": "user.city -eq null and user.nothing -eq null"}}}"#
      ).first)
    #expect(error.hasPrefix("directory.yaml:1:55: error: the rule cannot be read: "))
    #expect(error.hasSuffix("have no property `user.nothing` [invalidRule]"), "\(error)")
  }

  @Test func `all errors in all files named directory.yaml are reported in order`() throws {
    let errors = try Self.errors(
      #"{"groups": {"A": ["b@x.com"]}, "user": {}}"#, #"{"users": ["B@x.com", "c"]}"#)
    #expect(
      errors.map { String($0.split(separator: " ")[0]) } == [
        "directory.yaml:1:23:", "directory.yaml:1:32:",
      ])
  }

  @Test func `the steps for spelling suggestions are limited even for thousands of misspelt names`()
    throws
  {
    var costs: [Int] = []
    for count in [500, 1_000, 4_000] {
      let users = (0..<count).map { #""user\#($0)@x.com""# }.joined(separator: ", ")
      let members = (0..<count).map { #""usr\#($0)@x.com""# }.joined(separator: ", ")
      let text = #"{"users": [\#(users)], "groups": {"Sales": [\#(members)]}}"#
      var builder = DirectoryBuilder()
      var steps = 0
      let errors = WrittenDirectory.add(
        [try Self.file(text)], to: &builder, named: [], &steps)
      #expect(errors.count == count)
      #expect(errors.first?.message.hasSuffix("did you mean `user0@x.com`?") == true)
      costs.append(steps)
    }
    // The limit, and one query beyond it.
    #expect(costs.allSatisfy { $0 < 2_500_000 }, "\(costs)")
  }

  // MARK: Ids

  private static func warnings(
    _ texts: [(name: String, text: String)], named: [GroupReference] = []
  ) throws -> [String] {
    var builder = DirectoryBuilder()
    let files = try texts.map { try file($0.text, named: $0.name) }
    #expect(WrittenDirectory.add(files, to: &builder, named: named).isEmpty)
    _ = builder.finish()
    return builder.warnings.map { $0.diagnostic.description }
  }

  @Test(arguments: [
    ([GroupReference(id: "G9")], true),
    // The export states which group it is, or names the group.
    ([GroupReference(id: "G9", name: "Sales")], false), ([GroupReference(name: "Sales")], false),
    ([GroupReference(id: "G1")], false), ([], false),
  ])
  func `a group without an id is reported if assignments name unknown ids`(
    named: [GroupReference], isReported: Bool
  ) throws {
    let found = try Self.warnings(
      [("directory.yaml", #"{"groups": {"Sales": [], "Field": {"id": "G1", "members": []}}}"#)],
      named: named)
    #expect(
      found
        == (isReported
          ? [
            "directory.yaml:1:13: warning: the group `Sales` has no `id`, but assignments name groups by ids that "
              + "no entry states: `g9`; add the group's `id` [groupWithoutID]"
          ] : []))
  }

  @Test(
    arguments: table(
      """
      {"users": {"a@x.com": {"id": "U1"}, "b@x.com": {"id": "u1"}}}
      => 1:37: warning: `b@x.com` has the id of `a@x.com` in directory.yaml:1
      {"users": {"a@x.com": {"id": "U1"}, "A@x.com": {"id": "U2"}}}
      => 1:37: warning: `A@x.com` has the id `u2` here, but the id `u1` in directory.yaml:1
      {"users": {"a@x.com": null, "A@x.com": null}}
      => 1:29: warning: `A@x.com` differs only in case from `a@x.com` in directory.yaml:1
      """))
  func `two users with the same id or name in directory.yaml cause a warning`(
    text: String, warning: String
  ) throws {
    #expect(
      try Self.warnings([("directory.yaml", text)]) == [
        "directory.yaml:\(warning); both entries count as one user [duplicateUser]"
      ])
  }

  @Test func `entries of one user in several files are merged without a warning`() throws {
    let texts = [
      ("a/directory.yaml", #"{"users": {"Anna@x.com": {"id": "U1"}}}"#),
      ("b/directory.yaml", #"{"users": {"anna@x.com": {"id": "u1", "city": "Bonn"}}}"#),
      ("c/directory.yaml", #"{"users": ["anna@x.com"]}"#),
    ]
    #expect(try Self.warnings(texts) == [])
  }

  // MARK: Schema

  @Test func `the schema of directory.yaml lists the keys of users and groups`() throws {
    let schema = try JSONReader.read(
      Repository.read("docs/schema/tenant-directory.schema.json"))
    let keys = { (value: JSONValue?) in Set(value?["properties"]?.members?.map(\.name) ?? []) }
    #expect(keys(schema["$defs"]?["user"]) == Set(WrittenDirectory.keysOfUsers))
    let group = schema["$defs"]?["group"]?["oneOf"]?.array?.last
    #expect(keys(group) == Set(WrittenDirectory.keysOfGroups))
    #expect(keys(schema) == ["users", "groups"])
  }
}
