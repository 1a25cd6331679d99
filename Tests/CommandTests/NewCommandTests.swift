import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// What `sluice new` begins runs as it is, and overwrites nothing.
  @Suite struct NewCommandTests {
    @Test(arguments: [
      ["app", "Echo"], ["extension", "Clip"], ["extension", "Loud", "--kind", "action"],
      ["extension", "Keys", "--kind", "keyboard"],
      ["extension", "Bell", "--kind", "notificationService"], ["scenario", "first"],
    ])
    func whatIsBegunRuns(arguments: [String]) throws {
      let desk = try Desk()
      let begun = try desk.run(Desk.program, ["new"] + arguments)
      #expect(begun.status == 0, "\(begun.errors)")
      let ran = try desk.sluice("run", "\(arguments[1]).yaml")
      #expect(ran.status == 0, "\(ran.output) \(ran.errors)")
      let again = try desk.run(Desk.program, ["new"] + arguments)
      #expect(again.status == 2)
      #expect(again.errors.contains("the file exists; choose another name [file]"))
    }

    @Test(arguments: [
      ["app", "X", "--bundle", "foo"], ["app", "X", "--bundle", "a..b"],
      ["app", "X", "--bundle", "com.x.y: {z}"], ["app", "X", "--bundle", "com.x\ny.z"],
      ["app", "X", "--bundle", ""], ["extension", "X", "--bundle", "a.b.<x>"],
      ["extension", "X", "--bundle", "a.b"], ["extension", "X", "--bundle", "a.b."],
    ])
    func `a bundle id that no scenario takes is wrong usage`(arguments: [String]) throws {
      let desk = try Desk()
      let ended = try desk.run(Desk.program, ["new"] + arguments)
      #expect(ended.status == 64)
      #expect(ended.errors.hasPrefix("Error: `\(arguments[3])` is no bundle id"), "\(ended.errors)")
      #expect(!desk.folder.has("X.app") && !desk.folder.has("X.appex"))
      #expect(!desk.folder.has("X.yaml"))
    }

    @Test func `a dangling link counts as a file, and nothing is written beside it`() throws {
      let desk = try Desk()
      try FileManager.default.createSymbolicLink(
        atPath: desk.folder.path("X.yaml"), withDestinationPath: "nowhere")
      let ended = try desk.sluice("new", "app", "X")
      #expect(ended.status == 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "X.yaml: error: the file exists; choose another name [file]\n")
      #expect(!desk.folder.has("X.app") && !desk.folder.has("nowhere"))
    }

    @Test func `a file in place of the bundle is told in a sentence, and stays`() throws {
      let desk = try Desk()
      try desk.folder.write("mine", to: "X.appex")
      let ended = try desk.sluice("new", "extension", "X")
      #expect(ended.status == 2)
      #expect(
        ended.errors == "X.appex/Info.plist: error: cannot be written: not a directory [file]\n")
      #expect(try desk.folder.read("X.appex") == "mine")
      #expect(!desk.folder.has("X.yaml"))
    }

    @Test func `what is in the bundle's folder already stays where writing fails`() throws {
      let desk = try Desk()
      try desk.folder.write("mine", to: "X.app/main.lua")
      let ended = try desk.sluice("new", "app", "X")
      #expect(ended.status == 2)
      #expect(
        ended.errors == "X.app/main.lua: error: the file exists; choose another name [file]\n")
      #expect(try desk.folder.read("X.app/main.lua") == "mine")
      #expect(!desk.folder.has("X.app/Info.plist") && !desk.folder.has("X.yaml"))
    }

    @Test(arguments: ["app", "scenario"])
    func `a name that is too long is told in a sentence`(kind: String) throws {
      let desk = try Desk()
      let name = String(repeating: "x", count: 300)
      let ended = try desk.sluice("new", kind, name)
      #expect(ended.status == 2)
      #expect(ended.errors.hasSuffix(": error: cannot be written: file name too long [file]\n"))
      #expect(ended.errors.hasPrefix(name))
    }

    @Test func `an extension's scenario has the app that its bundle id is below`() throws {
      let desk = try Desk()
      let begun = try desk.sluice("new", "extension", "Clip", "--bundle", "com.contoso.notes.clip")
      #expect(begun.status == 0, "\(begun.errors)")
      #expect(try desk.folder.read("Clip.yaml").contains("host: { bundle: com.contoso.notes }"))
      #expect(try desk.sluice("run", "Clip.yaml").status == 0)
    }
  }
}
