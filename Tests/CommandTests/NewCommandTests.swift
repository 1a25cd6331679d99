import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests that the output of `sluice new` runs unchanged, and that no file is overwritten.
  @Suite struct NewCommandTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test(arguments: [
      ["app", "Echo"], ["extension", "Clip"], ["extension", "Loud", "--kind", "action"],
      ["extension", "Keys", "--kind", "keyboard"],
      ["extension", "Bell", "--kind", "notificationService"], ["scenario", "first"],
    ])
    func `sluice new creates a runnable project of each kind and overwrites none`(
      arguments: [String]
    )
      throws
    {
      try desk.sluice(["new"] + arguments, ends: 0)
      try desk.sluice("run", "\(arguments[1]).yaml", ends: 0)
      let again = try desk.sluice(["new"] + arguments, ends: 2)
      #expect(again.errors.contains("the file exists; choose another name [file]"))
    }

    @Test(arguments: [
      ["app", "X", "--bundle", "foo"], ["app", "X", "--bundle", "a..b"],
      ["app", "X", "--bundle", "com.x.y: {z}"], ["app", "X", "--bundle", "com.x\ny.z"],
      ["app", "X", "--bundle", ""], ["extension", "X", "--bundle", "a.b.<x>"],
      ["extension", "X", "--bundle", "a.b"], ["extension", "X", "--bundle", "a.b."],
    ])
    func `an invalid bundle id for a new project is a usage error`(arguments: [String]) throws {
      let ended = try desk.sluice(["new"] + arguments, ends: 64)
      #expect(ended.errors.hasPrefix("Error: `\(arguments[3])` is not a bundle id"))
      #expect(!desk.folder.has("X.app") && !desk.folder.has("X.appex"))
      #expect(!desk.folder.has("X.yaml"))
    }

    @Test(arguments: [
      (
        ["extension", "Keys", "--kind", "keyboard"],
        "`--from` is for extensions of the kinds `share` and `action`"
      ),
      (
        ["extension", "UIKit"],
        "`UIKit` is the name of a module or package that the new package uses; choose another name"
      ),
      (
        ["app", "MSAL"],
        "`MSAL` is the name of a module or package that the new package uses; choose another name"
      ),
    ])
    func `sluice new --from rejects unsupported extension kinds and conflicting package names`(
      arguments: [String], message: String
    ) throws {
      let ended = try desk.sluice(["new"] + arguments + ["--from", "."], ends: 64)
      #expect(ended.errors.contains(message))
      #expect(!desk.folder.has(arguments[1]))
    }

    @Test func `sluice new treats a dangling link as an existing file and writes nothing`() throws {
      try desk.folder.link("X.yaml", to: "nowhere")
      let ended = try desk.sluice("new", "app", "X", ends: 2)
      #expect(ended.output.isEmpty)
      #expect(ended.errors == "X.yaml: error: the file exists; choose another name [file]\n")
      #expect(!desk.folder.has("X.app") && !desk.folder.has("nowhere"))
    }

    @Test func `sluice new does not replace a file that has the bundle folder's name`() throws {
      try desk.folder.write("mine", to: "X.appex")
      let ended = try desk.sluice("new", "extension", "X", ends: 2)
      #expect(
        ended.errors == "X.appex/Info.plist: error: cannot be written: not a directory [file]\n")
      #expect(try desk.folder.read("X.appex") == "mine")
      #expect(!desk.folder.has("X.yaml"))
    }

    @Test func `sluice new writes nothing if a file of its bundle folder exists`() throws {
      try desk.folder.write("mine", to: "X.app/main.lua")
      let ended = try desk.sluice("new", "app", "X", ends: 2)
      #expect(
        ended.errors == "X.app/main.lua: error: the file exists; choose another name [file]\n")
      #expect(try desk.folder.read("X.app/main.lua") == "mine")
      #expect(!desk.folder.has("X.app/Info.plist") && !desk.folder.has("X.yaml"))
    }

    @Test(arguments: ["app", "scenario"])
    func `an overlong name of a new project is reported`(kind: String) throws {
      let name = String(repeating: "x", count: 300)
      let ended = try desk.sluice("new", kind, name, ends: 2)
      #expect(ended.errors.hasSuffix(": error: cannot be written: file name too long [file]\n"))
      #expect(ended.errors.hasPrefix(name))
    }

    /// Writes an app with a share extension, as an archive or as a source folder.
    private func writeApp(
      _ name: String, identifier: String, settings: String = "", rule: String = texts
    ) throws {
      let head = #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>"#
      try desk.folder.write(
        "\(head)\(identifier)</string>\(settings)</dict></plist>", to: "\(name).app/Info.plist")
      let attributes =
        "<key>NSExtensionAttributes</key><dict><key>NSExtensionActivationRule</key>\(rule)</dict>"
      let point = "<key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>"
      let own = identifier.contains("$") ? identifier : "\(identifier).clip"
      try desk.folder.write(
        "\(head)\(own)</string>\(settings)<key>NSExtension</key><dict>\(point)\(attributes)</dict>"
          + "</dict></plist>", to: "\(name).app/PlugIns/Clip.appex/Info.plist")
    }

    private static let texts =
      "<dict><key>NSExtensionActivationSupportsText</key><true/></dict>"

    @Test(
      arguments: ["org.example.notes", "$(PRODUCT_BUNDLE_IDENTIFIER)", "com.contoso.mail"],
      [
        "", "<key>IntuneMAMSettings</key><dict/>",
        "<key>IntuneMAMSettings</key><dict><key>MultiIdentity</key><true/></dict>",
      ])
    func `a new scenario for the user's own app runs unchanged`(
      identifier: String, settings: String
    ) throws {
      try writeApp("My Notes", identifier: identifier, settings: settings)
      let ended = try desk.sluice("new", "scenario", "mine", "--app", "My Notes.app/", ends: 0)
      let warnings = [("", ""), ("PlugIns/Clip.appex/", ".clip")].map { folder, name in
        "My Notes.app/\(folder)Info.plist: warning: `CFBundleIdentifier` is `\(identifier)`, so the "
          + "scenario uses `org.example.mynotes\(name)`; replace it with the real bundle id [bundle]\n"
      }
      #expect(
        ended.errors.hasPrefix(
          (identifier.contains("$") ? warnings.joined() : "") + "sluice run mine.yaml runs"))
      let text = try desk.folder.read("mine.yaml")
      let ran = try desk.sluice("run", "mine.yaml")
      #expect(ran.status == 0, "\(text) \(ran.output) \(ran.errors)")
      #expect(text.contains(#"path: "My Notes.app/PlugIns/Clip.appex", containingApp: myNotes"#))
      #expect(text.contains("{ from: viewer, items: { type: public.plain-text } }"))
      #expect(text.contains("shown: clip"))
    }

    @Test func `sluice new scenario accepts several --app options and writes to --folder`() throws {
      try writeApp("A", identifier: "org.a.a")
      try writeApp(
        "B", identifier: "org.b.b",
        rule:
          "<dict><key>NSExtensionActivationSupportsFileWithMaxCount</key><integer>0</integer></dict>"
      )
      try desk.folder.makeFolder("in/here")
      try desk.sluice(
        "new", "scenario", "both", "--app", "A.app", "--app", "B.app", "--folder", "in/here",
        ends: 0)
      #expect(try desk.folder.read("in/here/both.yaml").contains("clip2: { path: ../../B.app/"))
      #expect(try desk.folder.read("in/here/both.yaml").contains("hidden: clip2"))
      try desk.sluice("run", "in/here/both.yaml", ends: 0)
    }

    @Test(arguments: [
      ("nowhere.app", "nowhere.app: error: cannot be read: no such file or directory [bundle]\n"),
      (
        "A.app/PlugIns/Clip.appex",
        "A.app/PlugIns/Clip.appex: error: it is an extension; specify the app's folder [bundle]\n"
      ),
      (
        "Gone.app",
        "Gone.app: error: the program `Gone` of `CFBundleExecutable` is missing; build it first [bundle]\n"
      ),
    ])
    func `sluice new scenario writes no file if the app cannot run`(
      path: String, message: String
    ) throws {
      try writeApp("A", identifier: "org.a.a")
      try writeApp(
        "Gone", identifier: "org.b.b",
        settings: "<key>CFBundleExecutable</key><string>Gone</string>")
      let ended = try desk.sluice("new", "scenario", "mine", "--app", path, ends: 2)
      #expect(ended.errors == message)
      #expect(!desk.folder.has("mine.yaml"))
    }

    @Test(arguments: [("Loud", "loud"), ("Viewer", "viewer2"), ("no", "no"), ("Null", "null2")])
    func `sluice new adds a number to an app name that the scenario cannot use`(
      name: String, key: String
    ) throws {
      try desk.sluice("new", "app", name, ends: 0)
      let text = try desk.folder.read("\(name).yaml")
      #expect(text.contains("launch: [viewer, \(key)]"))
      let viewer = name == "Viewer" ? "org.example.viewer-2" : "org.example.viewer"
      #expect(text.contains("  viewer: { bundle: \(viewer) }\n"))
      try desk.sluice("run", "\(name).yaml", ends: 0)
    }

    @Test func `the dependencies of a new Python extension are printed before its commands`() throws
    {
      let lines = try desk.sluice("new", "extension", "Clip", "--language", "python").errors
        .split(separator: "\n")
      #expect(lines.count == 2)
      #expect(
        lines[0].hasPrefix(
          "install its dependencies first: /usr/bin/python3 -m pip install --target Clip.appex "))
      #expect(lines[1].hasPrefix("sluice run Clip.yaml runs the scenario"))
    }

    @Test func `sluice new derives the containing app's bundle id from the extension's bundle id`()
      throws
    {
      try desk.sluice("new", "extension", "Clip", "--bundle", "com.contoso.notes.clip", ends: 0)
      #expect(try desk.folder.read("Clip.yaml").contains("host: { bundle: com.contoso.notes }"))
      try desk.sluice("run", "Clip.yaml", ends: 0)
    }
  }
}
