import Model
import TestSupport
import Testing

@testable import Scenario

/// Tests steps about files and protected data.
@Suite struct FileStepTests {
  private typealias File = Action.File

  private static func actions(_ steps: String) throws(ScenarioError) -> [Action] {
    try ScenarioReadingTests.steps(steps).map(\.action)
  }

  @Test func `each kind of file step is read as its action`() throws {
    let actions = try Self.actions(
      """
      - writeFile: { app: mail, path: a.txt, text: 12, group: group.contoso }
      - appendFile: { app: mail, path: a.txt, text: b }
      - readFile: { app: notes-2, path: a/b.txt }
      - fileInfo: { app: mail, path: a.txt, group: group.contoso }
      - protectFile: { app: mail, path: a.txt, owner: anna }
      - protectFile: { app: mail, path: a.txt, owner: unknown }
      - moveFile: { app: mail, path: a.txt, to: b.txt }
      - removeFile: { app: mail, path: a.txt }
      - protectData: { app: mail, path: a.dat, text: b, owner: unset }
      - unprotectData: { app: mail, path: a.dat }
      """)
    let expected = [
      File(
        operation: .write(.stated(Item(text: "12"))), guest: "mail", path: "a.txt",
        group: "group.contoso"),
      File(operation: .append(.stated(Item(text: "b"))), guest: "mail", path: "a.txt"),
      File(operation: .read, guest: "notes-2", path: "a/b.txt"),
      File(operation: .info, guest: "mail", path: "a.txt", group: "group.contoso"),
      File(operation: .protect(owner: .account("anna")), guest: "mail", path: "a.txt"),
      File(operation: .protect(owner: .unknown), guest: "mail", path: "a.txt"),
      File(operation: .move(to: "b.txt"), guest: "mail", path: "a.txt"),
      File(operation: .remove, guest: "mail", path: "a.txt"),
      File(operation: .protectData("b", owner: .unset), guest: "mail", path: "a.dat"),
      File(operation: .unprotectData, guest: "mail", path: "a.dat"),
    ]
    #expect(actions == expected.map { Action($0) })
  }

  @Test(
    arguments: table(
      """
      writeFile: { app: mail, path: a.txt, text: b, group: group.contoso }
      => mail writes `a.txt` of group.contoso
      appendFile: { app: mail, path: a.txt, text: b }
      => mail appends to `a.txt`
      writeFile: { app: mail, path: a.txt, item: received }
      => mail writes its last item to `a.txt`
      appendFile: { app: mail, path: a.txt, item: retyped }
      => mail appends its last item, retyped, to `a.txt`
      readFile: { app: mail, path: a.txt }
      => mail reads `a.txt`
      fileInfo: { app: mail, path: a.txt }
      => mail requests the owner of `a.txt`
      protectFile: { app: mail, path: a.txt, owner: anna }
      => mail protects `a.txt` for anna
      moveFile: { app: mail, path: a.txt, to: b.txt }
      => mail renames `a.txt` to `b.txt`
      removeFile: { app: mail, path: a.txt }
      => mail removes `a.txt`
      protectData: { app: mail, path: a.dat, text: b, owner: unknown }
      => mail protects data for unknown in `a.dat`
      unprotectData: { app: mail, path: a.dat }
      => mail unprotects the data in `a.dat`
      """)) func `every file step has a description`(step: String, text: String) throws
  {
    #expect(try ScenarioReadingTests.steps("- " + step).map(\.text) == [text])
  }

  @Test func `a step can expect a file's content and owner`() throws {
    let steps = try ScenarioReadingTests.steps(
      """
      - readFile: { app: mail, path: a.txt }
        expect: { received: 2026, owner: unknown }
      - unprotectData: { app: mail, path: a.txt }
        expect: { received: b, owner: anna }
      - fileInfo: { app: mail, path: a.txt }
        expect: { status: 104 }
      """)
    var plain = Expectation(received: "2026")
    plain.owner = .unknown
    var protected = Expectation(received: "b")
    protected.owner = .account("anna")
    #expect(steps.map(\.expectation) == [plain, protected, Expectation(status: 104)])
  }

  @Test(
    arguments: table(
      """
      { writeFile: { app: mail, path: a.txt } }
      => 16: error: `writeFile` needs `text` [missing-key]
      { writeFile: { app: mail, path: '', text: b } }
      => 35: error: `path` is empty [invalid-value]
      { writeFile: { app: mail, path: a.txt, text: b, owner: anna } }
      => 51: error: `writeFile` has no `owner` [conflicting-keys]
      { readFile: { app: mail, path: a.txt, text: b } }
      => 41: error: `readFile` has no `text` [conflicting-keys]
      { readFile: { app: mail, file: a.txt } }
      => 28: error: `readFile` has no key `file`; did you mean `path`? [unknown-key]
      { readFile: { app: notes, path: a.txt } }
      => 22: error: `notes` stands for 3 guests; name one, such as `notes-1` [invalid-value]
      { moveFile: { app: mail, path: a.txt } }
      => 15: error: `moveFile` needs `to` [missing-key]
      { protectFile: { app: mail, path: a.txt, owner: ana } }
      => 51: error: no account is called `ana`; did you mean `anna`? [unknown-name]
      { protectData: { app: mail, path: a.txt, owner: anna } }
      => 18: error: `protectData` needs `text` [missing-key]
      { unprotectData: { app: mail, path: a.txt, owner: anna } }
      => 46: error: `unprotectData` has no `owner` [conflicting-keys]
      { writeFile: { app: mail, path: a, text: b }, expect: { received: b } }
      => 59: error: the result of `writeFile` has no `received` [conflicting-keys]
      { readFile: { app: mail, path: a }, expect: { identity: anna } }
      => 49: error: the result of `readFile` has no `identity` [conflicting-keys]
      { paste: { app: mail }, expect: { owner: anna } }
      => 37: error: the result of `paste` has no `owner` [conflicting-keys]
      """)) func `invalid file steps are reported`(step: String, message: String)
  {
    let error = #expect(throws: ScenarioError.self) { try ScenarioReadingTests.steps("- " + step) }
    #expect(error?.description == "test.yaml:7:" + message)
  }
}
