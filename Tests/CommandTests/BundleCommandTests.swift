import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the output, written files and exit status of `sluice bundle`.
  @Suite struct BundleCommandTests {
    private static let list = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0">
      <dict>
        <key>CFBundleIdentifier</key>
        <string>$(PRODUCT_BUNDLE_IDENTIFIER)</string>
        <key>NSExtension</key>
        <dict>
          <key>NSExtensionAttributes</key>
          <dict>
            <key>NSExtensionActivationRule</key>
            <string>SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
              ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image").@count == 1).@count == 1</string>
          </dict>
          <key>NSExtensionPointIdentifier</key>
          <string>com.apple.share-services</string>
          <key>NSExtensionPrincipalClass</key>
          <string>Share</string>
        </dict>
      </dict>
      </plist>

      """

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Self.list, to: "share.plist")
      try desk.folder.write(
        Self.list.replacingOccurrences(of: "UTI-CONFORMS-TO", with: "UTI-CONFORMS"),
        to: "wrong.plist")
      try desk.folder.write(
        Self.list.replacingOccurrences(of: "com.apple.share-services", with: "com.apple.watchkit"),
        to: "watch.plist")
      try desk.folder.write(String(Self.list.prefix(200)), to: "cut.plist")
      try desk.folder.write("PK\u{3}\u{4}\u{14}", to: "app.zip")
      try desk.folder.write(
        #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"#,
        to: "app.plist")
      try desk.folder.write(
        "PRODUCT_BUNDLE_IDENTIFIER = org.example.$(NAME)\nNAME = notes\n", to: "a.xcconfig")
      try desk.folder.write("NAME\n", to: "wrong.xcconfig")
      try desk.folder.write(Self.list, to: "some/Share/share.plist")
      try desk.folder.write(
        #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a.b</string></dict></plist>"#,
        to: "some/app.plist")
      try desk.folder.makeFolder("empty")
    }

    @Test(
      arguments: [
        ("bundle show share.plist", 0), ("bundle show share.plist --format json", 0),
        ("bundle show cut.plist", 2), ("bundle show watch.plist", 2), ("bundle show empty", 2),
        ("bundle show nowhere.plist", 2), ("bundle show", 64),
        ("bundle show share.plist --set NAME", 64),
        ("bundle show share.plist --xcconfig wrong.xcconfig", 2),
        ("bundle lint share.plist", 0), ("bundle lint share.plist --fail-on note", 1),
        ("bundle lint wrong.plist", 1), ("bundle lint wrong.plist --fail-on never", 0),
        ("bundle lint cut.plist", 2), ("bundle lint watch.plist", 0),
        ("bundle lint share.plist --format yaml", 64),
        ("bundle fix share.plist --check", 1), ("bundle fix share.plist --diff", 0),
        ("bundle fix share.plist --check --diff", 1), ("bundle fix wrong.plist --check", 0),
        ("bundle fix share.plist", 0), ("bundle fix share.plist cut.plist", 2),
        ("bundle activation share.plist --item public.png", 0),
        ("bundle activation share.plist --item com.adobe.pdf", 1),
        ("bundle activation wrong.plist --item public.png", 2),
        ("bundle activation app.plist --item public.png", 2),
        ("bundle activation share.plist --item image/png", 64),
        ("bundle activation share.plist --item ,", 64),
        ("bundle activation share.plist --item public.png+", 64), ("bundle show app.zip", 2),
        // In either spelling, two images are one selection of two attachments. The rule accepts one
        // attachment.
        ("bundle activation share.plist --item public.png --item public.png", 1),
        ("bundle activation share.plist --item public.png+public.png", 1),
        ("bundle activation share.plist --item public.png --item public.text", 0),
        ("bundle activation share.plist --apart --item public.png --item public.text", 0),
        ("bundle activation share.plist --apart --item public.png --item public.png", 1),
        ("bundle activation some --item public.png", 0),
        ("bundle activation some/app.plist --item public.png", 2), ("bundle lint some", 0),
      ])
    func `bundle commands exit with their documented statuses`(line: String, status: Int32) throws {
      let ended = try desk.sluice(line: line, ends: status)
      #expect(ended.errors.isEmpty == (status < 2 || line.contains("lint cut")))
      if ended.status != 0 || !line.contains("bundle fix share.plist") || line.contains("--") {
        #expect(try desk.folder.read("share.plist") == Self.list)
      }
    }

    @Test func `--set overrides a build variable of an --xcconfig file`() throws {
      let configured = try desk.sluice("bundle", "show", "share.plist", "--xcconfig", "a.xcconfig")
      #expect(configured.output.contains("identifier      org.example.notes\n"))
      let set = try desk.sluice(
        "bundle", "show", "share.plist", "--xcconfig", "a.xcconfig", "--set", "NAME=memo")
      #expect(set.output.contains("identifier      org.example.memo\n"))
      let none = try desk.sluice("bundle", "lint", "share.plist")
      #expect(none.output.contains("share.plist:5:3: note: `CFBundleIdentifier` is"))
    }

    @Test func `a source list without a bundle id gets the id of its Xcode target`()
      throws
    {
      try desk.folder.write(Self.list, to: "Notes/Share/Info.plist")
      let settings = { (name: String, id: String) in
        """
        buildSettings = {
        INFOPLIST_FILE = Share/Info.plist;
        PRODUCT_BUNDLE_IDENTIFIER = \(id);
        };
        name = \(name);

        """
      }
      try desk.folder.write(
        settings("Debug", "org.example.notes.debug") + settings("Release", "org.example.notes"),
        to: "Notes/Notes.xcodeproj/project.pbxproj")
      for path in ["Notes/Share/Info.plist", "Notes/Share", "Notes"] {
        let shown = try desk.sluice("bundle", "show", path, ends: 0)
        #expect(shown.output.contains("identifier      org.example.notes\n"), "\(shown.output)")
        let lint = try desk.sluice("bundle", "lint", path, ends: 0)
        #expect(!lint.output.contains("[unresolvedVariable]"), "\(lint.output)")
      }
      let set = try desk.sluice(
        "bundle", "show", "Notes", "--set", "PRODUCT_BUNDLE_IDENTIFIER=org.example.memo", ends: 0)
      #expect(set.output.contains("identifier      org.example.memo\n"), "\(set.output)")
    }

    @Test func `an invalid activation rule is reported with its position in the file`() throws {
      let ended = try desk.sluice("bundle", "lint", "wrong.plist")
      #expect(ended.output.contains("wrong.plist:12:"))
      #expect(ended.output.contains("did you mean `UTI-CONFORMS-TO`? [ruleInvalid]"))
      let cut = try desk.sluice("bundle", "show", "cut.plist")
      #expect(cut.errors.hasPrefix("cut.plist:8:19: "))
      #expect(cut.errors.contains("error: the list is truncated"))
    }

    @Test func `a second run of sluice bundle fix changes nothing`() throws {
      let first = try desk.sluice("bundle", "fix", "share.plist")
      #expect(first.output.hasPrefix("fixed share.plist\n"))
      let fixed = try desk.folder.read("share.plist")
      #expect(fixed.contains(#""com.microsoft.intune.mam.public.image""#))
      let second = try desk.sluice("bundle", "fix", "share.plist")
      #expect(second.output == "nothing to fix\n")
      #expect(try desk.folder.read("share.plist") == fixed)
      try desk.sluice("bundle", "fix", "share.plist", "--check", ends: 0)
    }

    @Test func `--diff prints a unified diff and writes nothing`() throws {
      let rule = "ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO"
      let ended = try desk.sluice("bundle", "fix", "--diff", "share.plist", ends: 0)
      #expect(
        ended.output == """
          --- share.plist
          +++ share.plist (fixed)
          @@ -9,7 +9,7 @@
               <dict>
                 <key>NSExtensionActivationRule</key>
                 <string>SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a,
          -        \(rule) "public.image").@count == 1).@count == 1</string>
          +        \(rule) "public.image" || \(rule) "com.microsoft.intune.mam.public.image").@count == 1).@count == 1</string>
               </dict>
               <key>NSExtensionPointIdentifier</key>
               <string>com.apple.share-services</string>

          """)
      #expect(try desk.folder.read("share.plist") == Self.list)
      let input = try desk.sluice("bundle", "fix", "--diff", "-", input: Self.list)
      #expect(input.output == ended.output.replacing("share.plist", with: "-"))
      let binary = try PropertyListSerialization.data(
        fromPropertyList: PropertyListSerialization.propertyList(
          from: Data(Self.list.utf8), format: nil), format: .binary, options: 0)
      try binary.write(to: URL(fileURLWithPath: desk.folder.path("binary.plist")))
      let other = try desk.sluice("bundle", "fix", "--diff", "binary.plist")
      #expect(other.output == "Binary files binary.plist and binary.plist (fixed) differ\n")
    }

    @Test func `--diff without the diff program is rejected`() throws {
      let ended = try desk.sluice(
        ["bundle", "fix", "--diff", "share.plist"], variables: ["PATH": desk.folder.path("empty")],
        ends: 2)
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "share.plist: error: `diff` is not installed; --diff needs it in `PATH` [bundle]\n")
    }

    @Test func `sluice bundle show lists all bundles of a folder and names the invalid bundles`()
      throws
    {
      let ended = try desk.sluice("bundle", "show", ".", "--format", "json", ends: 2)
      let bundles = try ended.jsonLines()
      #expect(
        bundles.map { $0["kind"]?.string } == [
          "app", "share extension", "share extension", "app", "share extension",
        ])
      #expect(
        bundles.map { $0["extension"]?["ruleError"] != nil } == [false, false, false, false, true])
      #expect(ended.errors.split(separator: "\n").count == 3)
    }

    @Test
    func `an extension with an invalid rule is shown as not offered`()
      throws
    {
      let asked = try desk.sluice("bundle", "activation", "wrong.plist", "--item", "public.png")
      #expect(asked.output == "wrong.plist: not offered, its activation rule is not valid\n")
      #expect(asked.errors.contains("wrong.plist:12:"))
      #expect(asked.errors.contains("[ruleInvalid]"))
      let shown = try desk.sluice("bundle", "show", "wrong.plist")
      #expect(
        shown.output.contains("rule            not valid, so the extension is never offered\n"))
    }

    @Test(arguments: [("public.jpg", "public.jpeg"), ("public.pdf", "com.adobe.pdf")])
    func `an item type that neither the system nor the app declares causes a warning`(
      type: String, meant: String
    ) throws {
      let ended = try desk.sluice("bundle", "activation", "share.plist", "--item", type, ends: 1)
      #expect(ended.output.hasPrefix("share.plist: not offered\n"))
      #expect(
        ended.errors
          == "sluice: warning: neither the system nor the app declares the type `\(type)`; did you mean "
          + "`\(meant)`? [undeclaredType]\n")
    }

    @Test
    func `bundle activation and bundle lint read an extension together with its containing app`()
      throws
    {
      let app = "Notes.app/Info.plist"
      try desk.folder.write(
        #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example</string>"#
          + "<key>UTExportedTypeDeclarations</key><array><dict><key>UTTypeIdentifier</key>"
          + "<string>org.example.sketch</string><key>UTTypeConformsTo</key>"
          + "<array><string>public.image</string></array></dict></array></dict></plist>", to: app)
      let plugIn = "Notes.app/PlugIns/Share.appex"
      try desk.folder.write(Self.list, to: "\(plugIn)/Info.plist")
      let asked = try desk.sluice("bundle", "activation", plugIn, "--item", "org.example.sketch")
      #expect(asked.output.hasPrefix("\(plugIn): offered\n"))
      #expect(try !desk.sluice("bundle", "lint", plugIn).output.contains("[orphan]"))
    }

    @Test func `sluice bundle show reads standard input, and sluice bundle fix rejects it`() throws
    {
      let list = try desk.folder.read("share.plist")
      let shown = try desk.sluice("bundle", "show", "-", input: list)
      #expect(shown.output.contains("share extension"))
      let fixed = try desk.sluice("bundle", "fix", "-", input: list, ends: 2)
      #expect(fixed.errors == "-: error: standard input cannot be changed; use `--diff` [bundle]\n")
    }
  }
}
