import Encodings
import Foundation
import Model
import Policy
import PolicySupport
import Synchronization
import TestSupport
import Testing

@testable import Studio

/// Returns a policy file with these settings, and with properties that the product does not read.
func policyFile(_ settings: Settings, named name: String = "Base") -> [UInt8] {
  Array(
    JSONWriter.objectLine { writer in
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      writer.member("displayName", name)
      writer.member("description", "kept as it is: \u{e9}")
      settings.writeMembers(to: &writer)
      writer.member("version", "1")
    }.utf8)
}

struct PolicyDraftTests {
  @Test(arguments: 0..<20 * thoroughness)
  func `all setting changes of a draft can be undone and redone one by one`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let old = Settings.random(using: &random)
    // The settings have the form that files can state. A version 0.0 counts as none, and schemes
    // are in lower case.
    let new = try PolicyReader.read(
      policyFile(Settings.random(using: &random)), file: "new.json")[0].settings
    let file = policyFile(old)
    var draft = try PolicyDraft(file, file: "base.json")
    var reached = [draft.policies[0].settings]
    for line in SettingPage.allCases.flatMap(\.lines) {
      let texts = line.texts(in: new)
      guard texts != line.texts(in: draft.policies[0].settings), line.offers(texts) else {
        continue
      }
      let value = texts.isEmpty ? "none" : texts.joined(separator: "; ")
      draft.change(policy: 0, try SettingEdit(line.title, value))
      #expect(line.texts(in: draft.policies[0].settings) == texts, "\(line.title) = \(value)")
      if draft.policies[0].settings != reached.last { reached.append(draft.policies[0].settings) }
    }
    let read = try PolicyReader.read(draft.bytes, file: "base.json")
    #expect(read[0].settings == draft.policies[0].settings)
    for settings in reached.dropLast().reversed() {
      draft.undo()
      #expect(draft.policies[0].settings == settings)
    }
    #expect(!draft.canUndo)
    #expect(draft.bytes == file)
    for settings in reached.dropFirst() {
      draft.redo()
      #expect(draft.policies[0].settings == settings)
    }
    #expect(!draft.canRedo)
  }

  @Test func `a draft whose setting is changed back is unchanged`() throws {
    let file = policyFile(Settings())
    var draft = try PolicyDraft(file, file: "base.json")
    draft.change(policy: 0, try SettingEdit("Printing org data", "Block"))
    #expect(draft.isChanged)
    draft.change(policy: 0, try SettingEdit("Printing org data", "Allow"))
    #expect(!draft.isChanged)
    #expect(draft.bytes == file)
  }

  @Test func `in the saved file, only the changed property differs`() throws {
    let text = """
      {
      \t"displayName" : "Base",
      \t"printBlocked" : false,   "other": [1,2 ,3]
      }
      """
    var draft = try PolicyDraft(Array(text.utf8), file: "base.json")
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    #expect(
      String(decoding: draft.bytes, as: UTF8.self)
        == text.replacing("\"printBlocked\" : false", with: "\"printBlocked\" : true"))
  }

  @Test func `a change of a policy leaves the file's other policies unchanged`() throws {
    let file = Array(
      ("["
        + [Settings(), Settings()].map { String(decoding: policyFile($0), as: UTF8.self) }
        .joined(separator: ",") + "]").utf8)
    var draft = try PolicyDraft(file, file: "all.json")
    draft.change(policy: 1, try SettingEdit("printBlocked", "true"))
    #expect(draft.policies.map(\.settings.printBlocked) == [false, true])
    #expect(!draft.isChanged(policy: 0))
    #expect(draft.isChanged(policy: 1))
  }

  /// Exempted apps as the admin centre exports them: one element with the default apps, and one element per added app.
  private static let exempted = """
    {
      "displayName": "Base",
      "exemptedAppProtocols": [
        { "name": "Default", "value": "skype;app-settings" },
        { "name": "Contoso Maps", "value": "contosomaps" }
      ]
    }
    """

  private static func exemptedApps(_ draft: PolicyDraft) throws -> [[String]] {
    let elements = try JSONReader.read(draft.bytes)["exemptedAppProtocols"]?.array ?? []
    return elements.map { [$0["name"]?.string ?? "", $0["value"]?.string ?? ""] }
  }

  @Test func `exempted apps keep their names if others are added or removed`() throws {
    var draft = try PolicyDraft(Array(Self.exempted.utf8), file: "base.json")
    let line = "Select apps to exempt"
    draft.change(
      policy: 0, try SettingEdit(line, "skype; app-settings; contosomaps; contosochat"))
    #expect(
      try Self.exemptedApps(draft) == [
        ["Default", "skype;app-settings"], ["Contoso Maps", "contosomaps"],
        ["contosochat", "contosochat"],
      ])
    draft.change(policy: 0, try SettingEdit(line, "contosochat; skype"))
    #expect(
      try Self.exemptedApps(draft) == [["Default", "skype"], ["contosochat", "contosochat"]])
    draft.undo()
    draft.undo()
    #expect(draft.bytes == Array(Self.exempted.utf8))
  }

  @Test func `exempted apps keep their names if a change is undone after it was saved`() throws {
    let folder = try Workspace()
    let path = try folder.write(Self.exempted, to: "base.json")
    var draft = try PolicyDraft(Array(Self.exempted.utf8), file: path)
    draft.change(policy: 0, try SettingEdit("Select apps to exempt", "none"))
    try draft.save(reading: Self.read)
    #expect(try Self.exemptedApps(draft) == [])
    draft.undo()
    #expect(
      try Self.exemptedApps(draft) == [
        ["Default", "skype;app-settings"], ["Contoso Maps", "contosomaps"],
      ])
  }

  @Test func `edits of an exempted app with an invalid scheme can be undone and redone`()
    throws
  {
    let text = Self.exempted.replacing("contosomaps", with: " Contoso Maps:")
    var draft = try PolicyDraft(Array(text.utf8), file: "base.json")
    let schemes = draft.policies[0].settings.exemptedAppProtocols
    draft.change(policy: 0, try SettingEdit("Select apps to exempt", "skype; contosochat"))
    #expect(draft.policies[0].settings.exemptedAppProtocols == ["skype", "contosochat"])
    draft.undo()
    #expect(draft.policies[0].settings.exemptedAppProtocols == schemes)
    draft.redo()
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    #expect(draft.policies[0].settings.exemptedAppProtocols == ["skype", "contosochat"])
    #expect(draft.policies[0].settings == draft.located[0].settings)
  }

  @Test
  func `an added setting has a position in the draft and none in the saved file`() throws {
    var draft = try PolicyDraft(
      Array("{\n\"displayName\": \"Base\",\n\"saveAsBlocked\": true\n}".utf8), file: "base.json")
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    #expect(draft.policies[0].origins[.printBlocked] == nil)
    #expect(draft.located[0].origins[.printBlocked]?.line == 4)
    #expect(draft.located[0].settings == draft.policies[0].settings)
  }

  // MARK: Saving

  private static func read(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map(Array.init)
  }

  @Test func `saving writes the draft, and earlier changes can still be undone`() throws {
    let folder = try Workspace()
    let path = try folder.write(
      String(decoding: policyFile(Settings()), as: UTF8.self), to: "base.json")
    var draft = try PolicyDraft(policyFile(Settings()), file: path)
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    let bytes = draft.bytes
    try draft.save(reading: Self.read)
    #expect(Self.read(path) == bytes)
    #expect(!draft.isChanged)
    draft.undo()
    #expect(draft.policies[0].settings.printBlocked == false)
    #expect(draft.isChanged(policy: 0))
    draft.redo()
    #expect(!draft.isChanged)
  }

  @Test(arguments: [
    #""exemptedUniversalLinks" : [ ],"#, #""printBlocked":false  ,"#, #""printBlocked": null,"#, "",
  ])
  func `undoing saved changes and saving restores the file's previous bytes`(member: String) throws
  {
    let text = "{\n\(member)\n  \"displayName\": \"Base\", \"pinRequired\": false\n}\n"
    let folder = try Workspace()
    let path = try folder.write(text, to: "base.json")
    var draft = try PolicyDraft(Array(text.utf8), file: path)
    for (line, value) in [
      ("Select universal links to exempt", "https://contoso.com/*"), ("printBlocked", "true"),
    ] {
      draft.change(policy: 0, try SettingEdit(line, value))
      try draft.save(reading: Self.read)
    }
    let changed = draft.bytes
    draft.undo()
    #expect(draft.located[0].settings.printBlocked == false)
    draft.undo()
    #expect(draft.isChanged)
    #expect(draft.bytes == Array(text.utf8))
    try draft.save(reading: Self.read)
    #expect(try folder.read("base.json") == text)
    draft.redo()
    draft.redo()
    #expect(draft.bytes == changed)
  }

  @Test func `changing a setting back after a save restores the file's previous text`() throws {
    let text = #"{ "displayName": "Base", "exemptedUniversalLinks": [ ] }"#
    let folder = try Workspace()
    let path = try folder.write(text, to: "base.json")
    var draft = try PolicyDraft(Array(text.utf8), file: path)
    let line = "Select universal links to exempt"
    draft.change(policy: 0, try SettingEdit(line, "https://contoso.com/*"))
    try draft.save(reading: Self.read)
    draft.change(policy: 0, try SettingEdit(line, "none"))
    #expect(draft.bytes == Array(text.utf8))
    // Another change besides leaves the rest of the file as it is now.
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    #expect(draft.bytes != Array(text.utf8))
    #expect(
      try PolicyReader.read(draft.bytes, file: path)[0].settings == draft.policies[0].settings)
  }

  @Test(arguments: ["changed", "missing"])
  func `a file that another program changed or removed is not overwritten`(state: String) throws {
    let folder = try Workspace()
    let path = folder.path("base.json")
    if state == "changed" { try folder.write("{}", to: "base.json") }
    var draft = try PolicyDraft(policyFile(Settings()), file: path)
    draft.change(policy: 0, try SettingEdit("printBlocked", "true"))
    let error = #expect(throws: PolicyDraft.SaveError.self) {
      try draft.save(reading: Self.read)
    }
    let message =
      state == "changed"
      ? "`\(path)` has changed on disk; reload it first" : "`\(path)` no longer exists"
    #expect(error?.description == message)
    #expect(draft.isChanged)
    #expect(folder.has("base.json") == (state == "changed"))
    if state == "changed" { #expect(try folder.read("base.json") == "{}") }
  }
}

/// Tests merging a draft's changes into a file that has changed on disk.
struct MergeTests {
  private static func text(_ members: String, name: String = "Base") -> [UInt8] {
    Array(#"{ "displayName": "\#(name)", "printBlocked": false\#(members) }"#.utf8)
  }

  private static func draft(_ edits: [(String, String)]) throws -> PolicyDraft {
    var draft = try PolicyDraft(text(#", "saveAsBlocked": false"#), file: "base.json")
    for (line, value) in edits { draft.change(policy: 0, try SettingEdit(line, value)) }
    return draft
  }

  @Test
  func `if draft and file change different settings, both changes are kept and can be undone`()
    throws
  {
    var draft = try Self.draft([("printBlocked", "true")])
    let disk = Self.text(#", "saveAsBlocked": true"#)
    let (conflicts, places) = try draft.merge(disk)
    #expect(conflicts == [])
    #expect(places == [0])
    #expect(draft.saved == disk)
    #expect(draft.policies[0].settings.saveAsBlocked)
    #expect(draft.policies[0].settings.printBlocked)
    draft.undo()
    #expect(!draft.isChanged)
    #expect(draft.bytes == disk)
    draft.redo()
    #expect(draft.policies[0].settings.printBlocked)
  }

  @Test func `if draft and file have the same change, the draft has nothing to save`() throws {
    var draft = try Self.draft([("saveAsBlocked", "true")])
    let (conflicts, _) = try draft.merge(Self.text(#", "saveAsBlocked": true"#))
    #expect(conflicts == [])
    #expect(!draft.isChanged)
  }

  @Test
  func `a setting that draft and file change differently is a conflict`()
    throws
  {
    var draft = try Self.draft([
      ("Restrict cut, copy, and paste between other apps", "Blocked"), ("printBlocked", "true"),
    ])
    let disk = Self.text(#", "allowedOutboundClipboardSharingLevel": "managedApps""#)
    let (conflicts, _) = try draft.merge(disk)
    #expect(
      conflicts == [
        PolicyDraft.Conflict(
          policy: 0, setting: .allowedOutboundClipboardSharingLevel, before: "Any app")
      ])
    #expect(draft.policies[0].settings.allowedOutboundClipboardSharingLevel == .blocked)
    #expect(draft.originals[0].settings.allowedOutboundClipboardSharingLevel == .managedApps)
    #expect(
      try PolicyReader.read(draft.bytes, file: "base.json")[0].settings
        == draft.policies[0].settings)
  }

  @Test func `in a merge, a line with several properties keeps all values of the draft`() throws {
    var draft = try Self.draft([
      ("Send org data to other apps", "Policy managed apps with OS sharing")
    ])
    let (conflicts, _) = try draft.merge(
      Self.text(
        #", "allowedOutboundDataTransferDestinations": "managedApps", "filterOpenInToOnlyManagedApps": true"#
      ))
    #expect(conflicts.map(\.setting) == [.allowedOutboundDataTransferDestinations])
    let settings = draft.policies[0].settings
    #expect(
      settings.words(for: .allowedOutboundDataTransferDestinations)
        == "Policy managed apps with OS sharing")
    #expect(!settings.filterOpenInToOnlyManagedApps)
  }

  @Test(arguments: ["{", "[]", "7"])
  func `a merge with a file that lacks the policy fails without changing the draft`(content: String)
    throws
  {
    var draft = try Self.draft([("printBlocked", "true")])
    let bytes = draft.bytes
    #expect(throws: PolicyDraft.MergeError.self) { try draft.merge(Array(content.utf8)) }
    #expect(draft.bytes == bytes)
    #expect(draft.canUndo)
  }

  @Test func `a merge matches policies by name and fails if a changed policy is missing`() throws {
    let file = { (names: [String]) in
      Array(
        "[\(names.map { String(decoding: Self.text("", name: $0), as: UTF8.self) }.joined(separator: ","))]"
          .utf8)
    }
    var draft = try PolicyDraft(file(["A", "B"]), file: "all.json")
    draft.change(policy: 1, try SettingEdit("printBlocked", "true"))
    let (_, places) = try draft.merge(file(["New", "B", "A"]))
    #expect(places == [2, 1])
    #expect(draft.policies.map(\.settings.printBlocked) == [false, true, false])
    let error = #expect(throws: PolicyDraft.MergeError.self) {
      try draft.merge(file(["New", "A"]))
    }
    #expect(error?.description.hasPrefix("the file no longer contains `B`") == true)
    #expect(draft.policies.map(\.settings.printBlocked) == [false, true, false])
  }

  @Test(
    arguments: [
      // Without ids, a policy of another name is found by its position, unless another one has this position.
      (["A", "B"], ["B", "C"], [nil, 0]),
      (["A", "B"], ["C", "B"], [0, 1]),
      (["A", "B"], ["B", "A"], [1, 0]),
      (["A", "A"], ["A", "B"], [0, 1]),
      // An id comes before a name, and finds nothing if several policies have it.
      (["A/1", "B"], ["B/1", "C"], [0, 1]),
      (["A/1", "B/2"], ["B/1", "A/2"], [0, 1]),
      (["A/1", "B/1"], ["A/1", "B/1"], [0, 1]),
      (["A/1", "A/1"], ["A/1", "A/1"], [nil, nil]),
      (["A/1", "B/2"], ["B/3", "C/4"], [nil, 0]),
    ] as [([String], [String], [Int?])])
  func `no two policies are matched to the same policy of a changed file`(
    before: [String], after: [String], places: [Int?]
  ) throws {
    let file = { (policies: [String]) in
      let texts = policies.map { policy in
        let parts = policy.split(separator: "/").map(String.init)
        let id = parts.count > 1 ? #", "id": "\#(parts[1])""# : ""
        return String(decoding: Self.text(id, name: parts[0]), as: UTF8.self)
      }
      return Array("[\(texts.joined(separator: ","))]".utf8)
    }
    var draft = try PolicyDraft(file(before), file: "all.json")
    let found = try draft.merge(file(after)).places
    #expect(found == places)
    // Each change stays with its policy.
    for index in before.indices where places[index] != nil {
      draft = try PolicyDraft(file(before), file: "all.json")
      draft.change(policy: index, try SettingEdit("printBlocked", "true"))
      _ = try draft.merge(file(after))
      #expect(
        draft.policies.map(\.settings.printBlocked) == after.indices.map { $0 == places[index] })
    }
  }

  @Test func `after a merge, a moved policy keeps its goals and remains the shown policy`() throws {
    let file = { (names: [String]) in
      Array(
        "[\(names.map { String(decoding: Self.text("", name: $0), as: UTF8.self) }.joined(separator: ","))]"
          .utf8)
    }
    let draft = try PolicyDraft(file(["A", "B"]), file: "all.json")
    var content = file(["New", "B", "A"])
    let shown = Mutex(content)
    let session = StudioSession(Workbench([draft])) { _ in shown.withLock { $0 } }
    let pin =
      #"{"policy": 0, "revision": 0, "section": 0, "row": 0, "column": 0, "state": "unenrolled"}"#
    _ = try #require(session.answer("pin", pin))
    let state = try JSONReader.read(
      try #require(session.answer("merge", #"{"policy": 0, "revision": 1}"#)))
    #expect(state["policy"]?.int == 2)
    #expect(state["policies"]?.array?.map { $0["name"]?.string } == ["New", "B", "A"])
    #expect(state["goals"]?.array?.count == 1)
    // A policy with a goal must still exist.
    content = file(["New", "B"])
    shown.withLock { $0 = content }
    let refused = try JSONReader.read(
      try #require(session.answer("merge", #"{"policy": 2, "revision": 2}"#)))
    #expect(refused["error"]?.string?.contains("no longer contains `A`") == true)
  }

  @Test func `a merge conflict is listed until the user has decided it`() throws {
    let disk = Self.text(
      #", "saveAsBlocked": true, "allowedOutboundClipboardSharingLevel": "managedApps""#)
    let session = StudioSession(
      Workbench([
        try Self.draft([
          ("Restrict cut, copy, and paste between other apps", "Blocked"),
          ("Printing Org data", "Block"),
        ])
      ])
    ) { _ in disk }
    var revision = 0
    func ask(_ path: String, _ members: String = "") throws -> JSONValue {
      let body = #"{"policy": 0, "revision": \#(revision)\#(members)}"#
      let answer = try JSONReader.read(try #require(session.answer(path, body)))
      revision = answer["revision"]?.int ?? revision
      return answer
    }
    let refused = try ask("save")
    #expect(refused["kind"]?.string == "changedOnDisk")
    let merged = try ask("merge")
    let rows = (merged["conflicts"]?.array ?? []).map { row in
      ["title", "before", "file", "draft"].map { row[$0]?.string ?? "" }
    }
    let line = "Restrict cut, copy, and paste between other apps"
    #expect(rows == [[line, "Any app", "Policy managed apps", "Blocked"]])
    #expect(merged["policies"]?.array?.map { $0["conflicts"]?.int } == [1])
    let other = #", "line": "Printing Org data", "keep": "file""#
    #expect(session.answer("resolve", #"{"policy": 0, "revision": \#(revision)\#(other)}"#) == nil)
    let resolved = try ask("resolve", #", "line": "\#(line)", "keep": "file""#)
    #expect(resolved["conflicts"]?.array?.isEmpty == true)
    #expect(resolved["policies"]?.array?.map { $0["conflicts"]?.int } == [0])
    let lines = (resolved["pages"]?.array ?? []).flatMap { $0["lines"]?.array ?? [] }
    let changed = lines.filter { $0["before"] != nil }.map { $0["title"]?.string }
    #expect(changed == ["Printing Org data"])
    // The decision can be undone.
    let undone = try ask("undo")
    #expect(
      (undone["pages"]?.array ?? []).flatMap { $0["lines"]?.array ?? [] }.count {
        $0["before"] != nil
      } == 2)
  }
}

extension SettingPage.Line {
  /// Returns whether the control can show the values. A choice can show only its own values, and a
  /// list cannot show the word for an empty list.
  fileprivate func offers(_ texts: [String]) -> Bool {
    switch control {
    case .choice(let words): texts.allSatisfy(words.contains)
    case .list: texts != ["none"]
    case .number, .period, .selection, .text: true
    }
  }
}
