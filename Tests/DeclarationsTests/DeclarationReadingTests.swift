import Declarations
import Encodings
import Foundation
import TestSupport
import Testing

/// Tests the parsing of folders, and the errors about other files.
struct DeclarationReadingTests {
  static func problems(_ files: [String: String]) -> [String] {
    DeclarationSet(Folder.folder(files)).problems.map(\.description)
  }

  @Test func `a file contains one declaration or an array of them`() {
    let set = DeclarationSet(
      Folder.folder([
        "a.json": Folder.declaration("management.organization-info", "b", #"{"Name": "C"}"#),
        "deep/er/list.JSON": "[" + Folder.activation("a") + "]",
        "readme.txt": "not read",
      ]))
    #expect(set.problems.isEmpty)
    #expect(set.declarations.map(\.identifier) == ["a", "b"])
    #expect(set.declarations.map(\.file) == ["deep/er/list.JSON", "a.json"])
    #expect(set.declarations.map(\.type) == [.activation, .organization])
  }

  static let malformed = table(
    """
    {
    => 1:2: error: expected a name in quotes, found the end of the file
    [1]
    => 1:2: error: a declaration must be an object, found a number
    {"a": 1}
    => 1:1: error: neither a declaration nor the data of an asset: it has no `Type`, and no
       `DataURL` names the file
    {"Type": "com.apple.activation.simple", "Identifier": "a", "ServerToken": "1"}
    => 1:1: error: `Payload` is missing
    {"Type": "a", "Identifier": "a", "ServerToken": "1", "Payload": []}
    => 1:65: error: `Payload` must be an object, found an array
    {"Type": "a", "Identifier": "a",
     "Payload": {}}
    => 1:1: error: `ServerToken` is missing: a server adds it when it sends the declaration; in a
       folder, write one, such as `"1"`, and another whenever the declaration changes
    {"Type": "a", "Identifier": "", "ServerToken": "1", "Payload": {}}
    => 1:29: error: `Identifier` must be a non-empty string, found an empty one
    {"Type": "a", "Identifier": 7, "ServerToken": "1", "Payload": {}}
    => 1:29: error: `Identifier` must be a non-empty string, found a number
    {"Type": "a", "Type": "b", "Identifier": "a", "ServerToken": "1", "Payload": {}}
    => 1:15: error: `Type` appears twice
    """)

  @Test(arguments: malformed)
  func `malformed declaration files are reported with positions`(text: String, problem: String) {
    #expect(Self.problems(["x.json": text]) == ["d/x.json:\(problem) [declarations]"])
  }

  @Test func `all errors in a folder of declarations are reported`() {
    let problems = Self.problems(["b.json": "[1, {}", "a.json": "[1, 2]"])
    #expect(problems.count == 3)
    #expect(problems.map { $0.prefix(10) } == ["d/a.json:1", "d/a.json:1", "d/b.json:1"])
  }

  @Test func `the warning about a misspelt key of a declaration suggests the right key`() {
    let text = """
      {"Type": "com.apple.activation.simple", "Identifier": "a", "ServerToken": "1",
       "Servertoken": "2", "Payload": {"StandardConfigurations": []}}
      """
    #expect(
      Self.problems(["x.json": text]) == [
        "d/x.json:2:2: warning: unknown key `Servertoken`; did you mean `ServerToken`? "
          + "[declarations]"
      ])
  }

  @Test func `overlong identifiers of declarations are reported`() {
    let name = String(repeating: "é", count: 33)
    #expect(
      Self.problems(["x.json": Folder.activation(name)]).first?.contains(
        "warning: `Identifier` has 66 bytes; the maximum is 64") == true)
  }

  @Test func `declarations with duplicate identifiers are all invalid`() {
    let set = DeclarationSet(
      Folder.folder(["a.json": Folder.activation("x"), "b.json": Folder.activation("x")]))
    #expect(set.declarations.isEmpty)
    #expect(
      set.problems.map(\.description)
        == ["a", "b"].map {
          "d/\($0).json:1:1: error: 2 declarations have the identifier `x`; none of them is valid "
            + "[declarations]"
        })
  }

  @Test func `unknown declaration types are kept and reported`() {
    let set = Folder.set(
      Folder.declaration("configuration.app.manged", "a", "{}"),
      Folder.declaration("configuration.passcode.settings", "b", "{}"),
      #"{"Type": "com.contoso.asset.logo", "Identifier": "c", "ServerToken": "1", "#
        + #""Payload": {}}"#)
    #expect(set.declarations.map(\.kind) == [.configuration, .configuration, .asset])
    #expect(
      set.problems.map(\.message) == [
        "unknown declaration type `com.apple.configuration.app.manged`; did you mean "
          + "`com.apple.configuration.app.managed`?",
        "`com.apple.configuration.passcode.settings` is not simulated, although real devices support it",
        "unknown declaration type `com.contoso.asset.logo`",
      ])
    #expect(set.problems.map(\.severity) == [.error, .warning, .error])
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [])
    #expect(
      delivery.states.map { $0.reasons.first?.code } == [
        .unknownDeclarationType, .unknownDeclarationType, .unknownDeclarationType,
      ])
    #expect(delivery.states.allSatisfy { $0.validity == .invalid && !$0.isActive })
  }

  /// The list includes types of iOS 27.
  @Test(arguments: [
    "accessibility.settings", "app.settings", "audio-accessory.settings", "content-cache.settings",
    "extensible-sso", "network.dns-proxy", "network.dns-settings", "network.relay",
    "network.vpn.always-on", "network.vpn.ikev2", "network.vpn.ipsec", "network.vpn.vpn-plugin",
    "webcontent-filter.plugin",
  ])
  func `declaration types that Apple publishes cause at most a warning`(type: String) {
    let set = Folder.set(Folder.declaration("configuration.\(type)", "a", "{}"))
    #expect(set.problems.allSatisfy { $0.severity == .warning }, "\(set.problems)")
  }

  /// Unreadable declarations, and the number of reported errors.
  static let unreadable: [(String, Int)] = [
    (#"{"Type": "com.apple.configuration.management.test", "Identifier": "c", "Payload": {}}"#, 1),
    (
      #"{"Type": "com.apple.configuration.management.test", "Identifier": "c", "#
        + #""ServerToken": "1"}"#, 1
    ),
    (Folder.app("c", "com.contoso.a") + ", " + Folder.app("c", "com.contoso.b"), 2),
    (#"{"Type" "com.apple.configuration.management.test", "Identifier": "c"}"#, 1),
  ]

  @Test(arguments: unreadable)
  func `a reference to a declaration that cannot be read is not reported again`(
    text: String, count: Int
  ) {
    let set = DeclarationSet(
      Folder.folder(["a.json": Folder.activation("a", "c"), "b.json": "[\(text)]"]))
    #expect(set.problems.count == count, "\(set.problems)")
    #expect(set.problems.allSatisfy { $0.file == "d/b.json" && $0.severity == .error })
    // The activation is still invalid.
    let delivery = ManagedDelivery(set, items: StatusItems(), programs: [])
    let activation = delivery.states.first { $0.identifier == "a" }
    #expect(activation?.validity == .invalid)
    #expect(activation?.reasons.map(\.code) == [.missingConfigurations])
  }

  @Test func `hidden files and symbolic links in a folder of declarations are not read`() throws {
    let workspace = try Workspace()
    try workspace.write(Folder.activation("a"), to: "in/one.json")
    try workspace.write("{", to: ".hidden/two.json")
    try workspace.write("{", to: ".three.json")
    for (name, target) in ["one.json": workspace.path("in/one.json"), "in/loop": workspace.path] {
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path(name), withDestinationPath: target)
    }
    let folder = try DeclarationFolder(at: workspace.path)
    #expect(folder.files.keys.sorted() == ["in/one.json"])
    #expect(
      folder.problems.map(\.description)
        == ["in/loop", "one.json"].map {
          "\(workspace.path)/\($0): error: a symbolic link, which is not followed [declarations]"
        })
    #expect(DeclarationSet(folder).declarations.count == 1)
  }

  @Test func `reading a folder of declarations stops at 10,000 entries`() throws {
    let workspace = try Workspace()
    for outer in 0..<10 {
      for inner in 1_000..<2_200 {
        try FileManager.default.createDirectory(
          atPath: workspace.path("\(outer)/\(inner)"), withIntermediateDirectories: true)
      }
    }
    let folder = try DeclarationFolder(at: workspace.path)
    // The folders 0 to 7 have 8 * 1,201 entries, and 8 is the next one.
    #expect(
      folder.problems.map(\.description) == [
        "\(workspace.path)/8/1391: error: not read: the folder has more than 10000 files and folders "
          + "[declarations]"
      ])
  }

  @Test func `a declarations path that is not a folder is rejected`() throws {
    let workspace = try Workspace()
    let file = try workspace.write("{}", to: "a.json")
    let none = #expect(throws: DeclarationDiagnostic.self) {
      try DeclarationFolder(at: workspace.path("b"))
    }
    #expect(none?.message == "the folder does not exist")
    let other = #expect(throws: DeclarationDiagnostic.self) { try DeclarationFolder(at: file) }
    #expect(other?.message == "expected a folder of declarations, found a file")
  }

  @Test func `a file URL of an asset cannot leave the folder of declarations`() throws {
    let workspace = try Workspace()
    try workspace.write("x", to: "in/data file.bin")
    let inside = "file://\(workspace.path("in"))/data%20file.bin"
    try workspace.write(Folder.asset("data", "a", inside), to: "in/a.json")
    try workspace.write(Folder.asset("data", "b", "file:///etc/passwd"), to: "in/b.json")
    let set = DeclarationSet(try DeclarationFolder(at: workspace.path("in")))
    #expect(set.assets.keys.sorted() == ["a"])
    #expect(
      set.problems.map(\.message) == [
        "the asset `b`: the file is not in the folder of declarations"
      ])
  }

  @Test func `a declaration truncated at any byte is rejected`() {
    let text = Array(Folder.app("c", "com.contoso.mail", #""AppConfig": {}"#).utf8)
    for count in 0..<text.count {
      let folder = DeclarationFolder(name: "d", files: ["a.json": Array(text.prefix(count))])
      let set = DeclarationSet(folder)
      #expect(set.declarations.isEmpty && !set.problems.isEmpty)
    }
  }
}
