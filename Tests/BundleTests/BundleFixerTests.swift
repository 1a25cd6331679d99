@testable import Bundle
import Encodings
import Foundation
import Output
import Testing
import TestSupport

/// Tests the repairs that `fix` makes, and that it leaves everything else unchanged.
struct BundleFixerTests {
  /// Defects that `fix` can repair completely.
  static let changes: [(file: String, old: String, new: String)] = [
    (SampleApp.share, "com.microsoft.intune.mam.public.image", "public.url"),
    (SampleApp.share, "\"public.image\"", "&quot;public.image&quot;"),
    (SampleApp.app, "notes-intunemam", "msauth.other"),
    (SampleApp.app, "<string>zips</string>", "<string>fax</string>"),
    (SampleApp.appRights, "com.microsoft.adalcache", "com.microsoft.cache"),
    (SampleApp.openIn, "<string>group.org.example.notes</string>", ""),
  ]

  private func fixes(_ sample: SampleApp) throws -> [FixedList] {
    try BundleFixer.fixes(of: sample.read())
  }

  @Test func `after a fix, no repairable finding remains in the bundle`() throws {
    let sample = try SampleApp(changing: Self.changes)
    for fix in try fixes(sample) { try BundleFile.replace(fix.file, with: fix.after) }
    #expect(try sample.findings() == [])
    #expect(try fixes(sample).isEmpty)
    let rule = try sample.folder.read(SampleApp.share)
    #expect(rule.contains("&quot;com.microsoft.intune.mam.public.image&quot;"))
    #expect(rule.contains("com.microsoft.intune.mam.public.url"))
  }

  @Test func `a finding that the Intune configurator does not repair gets no fix`() throws {
    let sample = try SampleApp(changing: [
      (
        SampleApp.share, BundleLinterTests.shared,
        "ANY $attachment.registeredTypeIdentifiers IN {\"public.png\"}"
      )
    ])
    #expect(try fixes(sample).isEmpty)
    let findings = try BundleReport.findings(about: sample.read())
    #expect(findings.map(\.rule) == [.ruleUnprefixed])
    #expect(findings.flatMap(\.repairs).isEmpty)
  }

  @Test func `a fix adds no twin for an invalid URL scheme`() throws {
    let sample = try SampleApp(changing: [
      (
        SampleApp.app, "<string>Notes</string>\n\t\t\t\t<string>notes-intunemam</string>",
        "<string>my_notes</string>"
      ),
      (SampleApp.app, "<string>zips</string>", "<string>zips</string><string>fax://</string>"),
    ])
    #expect(try fixes(sample).isEmpty)
    let findings = try BundleReport.findings(about: sample.read())
    #expect(findings.map(\.rule) == [.schemeCharacters, .schemeCharacters])
  }

  @Test func `bundle fix does not repair property list values of unexpected types`() throws {
    let list = try PropertyList(
      Array(
        """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a.b</string>
        <key>IntuneMAMSettings</key><dict></dict>
        <key>LSApplicationQueriesSchemes</key><string>http</string></dict></plist>
        """.utf8), file: "a.plist")
    let bundle = try AppBundle(list, entitlements: nil, settings: BuildSettings(), path: "a.plist")
    let input = BundleInput.bundle(bundle, in: nil)
    let findings = BundleReport.findings(about: input).filter {
      [.queriedTwin, .queriedMissing].contains($0.rule)
    }
    #expect(!findings.isEmpty && findings.allSatisfy(\.repairs.isEmpty))
    #expect(
      try BundleFixer.fixes(of: input).allSatisfy {
        String(decoding: $0.after, as: UTF8.self).contains("<string>http</string>")
      })
  }

  @Test(arguments: ["\n", ""])
  func `a fix puts the SDK's schemes first if iOS ignores schemes beyond its limit`(newline: String)
    throws
  {
    let own = (0..<12).map { "app\($0)" }
    let text = """
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a.b</string>
      <key>DTSDKName</key><string>iphoneos27.0</string><key>IntuneMAMSettings</key><dict></dict>
      <key>LSApplicationQueriesSchemes</key><array>\(newline)\(
        own.map { "<string>\($0)</string>" }.joined(separator: newline))</array></dict></plist>
      """
    let list = try PropertyList(Array(text.utf8), file: "a.plist")
    let bundle = try AppBundle(list, entitlements: nil, settings: BuildSettings(), path: "a.plist")
    let input = BundleInput.bundle(bundle, in: nil)
    let limit = try #require(
      BundleReport.findings(about: input).first { $0.rule == .queriedLimit })
    #expect(limit.severity == .note)
    #expect(limit.message.contains("has 41 schemes once `sluice bundle fix` has added"))
    #expect(limit.message.contains("uses only the first 25") && limit.message.contains("`app8`"))
    let fix = try #require(try BundleFixer.fixes(of: input).first)
    let fixed = try PropertyList(fix.after, file: "a.plist")
    let schemes = try #require(fixed["LSApplicationQueriesSchemes"]?.array).compactMap(\.string)
    #expect(schemes == BundleLinter.needed + own + own.map { "\($0)-intunemam" })
  }

  @Test func `a valid property list remains unchanged by a fix`() throws {
    #expect(try fixes(SampleApp()).isEmpty)
  }

  @Test(arguments: ["\n", "\r\n"])
  func `a fix preserves the comments and line endings of a property list`(newline: String) throws {
    let sample = try SampleApp(changing: Self.changes)
    for (file, _) in SampleApp.files {
      let text = try sample.folder.read(file).replacing(
        "<dict>\n\t<key>", with: "<dict><!-- c -->\n\t<key>")
      try sample.folder.write(text.replacing("\n", with: newline), to: file)
    }
    for fix in try fixes(sample) {
      let old = String(decoding: try #require(fix.text).before, as: UTF8.self)
      let new = String(decoding: fix.after, as: UTF8.self)
      #expect(new.count { $0 == "\r\n" } == (newline == "\n" ? 0 : new.count { $0.isNewline }))
      // `fix` removes only the replaced lines of a rule, and white space in an empty array.
      let difference = new.split(separator: newline).difference(from: old.split(separator: newline))
      for case .remove(_, let line, _) in difference {
        #expect(line.contains("UTI-CONFORMS-TO") || line.allSatisfy(\.isWhitespace))
      }
    }
  }

  @Test func `a fix changes only the edited values of a property list`() throws {
    let sample = try SampleApp(changing: Self.changes)
    let input = try sample.read()
    for list in BundleFixer.lists(of: input) {
      let repairs = BundleReport.findings(about: input).filter { $0.file == list.file }
        .flatMap(\.repairs)
      let text = try #require(list.text)
      let editor = try #require(ListEditor(list))
      let edits = ListEdit.sorted(editor.edits(for: repairs))
      let after = ListEdit.apply(edits, to: text.bytes)
      var (old, new) = (text.bytes[...], after[...])
      for edit in edits {
        let same = old.startIndex..<edit.range.lowerBound
        #expect(old[same] == new.prefix(same.count))
        new = new.dropFirst(same.count)
        #expect(new.starts(with: edit.text.utf8))
        new = new.dropFirst(edit.text.utf8.count)
        old = old[edit.range.upperBound...]
      }
      #expect(old == new)
    }
  }

  @Test func `a fix rewrites a binary property list`() throws {
    let sample = try SampleApp(changing: Self.changes)
    var meant: [String: PropertyListValue] = [:]
    for fix in try fixes(sample) {
      let file = fix.file.replacing("\(sample.folder.path)/", with: "")
      meant[file] = try PropertyList(fix.after, file: fix.file).top
    }
    for (file, _) in SampleApp.files {
      let url = URL(fileURLWithPath: sample.folder.path(file))
      try Data(Lists.binary(Array(Data(contentsOf: url)))).write(to: url)
    }
    let fixed = try fixes(sample)
    #expect(fixed.count == meant.count)
    for fix in fixed {
      #expect(fix.text == nil && fix.after.starts(with: Array("bplist00".utf8)))
      let file = fix.file.replacing("\(sample.folder.path)/", with: "")
      #expect(try PropertyList(fix.after, file: fix.file).top == meant[file])
    }
  }

  static let appends: [(String, String)] = [
    (
      "<dict>\n  <key>a</key>\n  <array>\n    <string>x</string>\n  </array>\n</dict>",
      "<dict>\n  <key>a</key>\n  <array>\n    <string>x</string>\n    <string>y &amp; z</string>\n"
        + "  </array>\n</dict>"
    ),
    (
      "<dict>\n  <key>a</key> <array><string>x</string></array>\n</dict>",
      "<dict>\n  <key>a</key> <array><string>x</string><string>y &amp; z</string></array>\n</dict>"
    ),
    (
      "<dict>\n  <key>a</key>\n  <array/>\n</dict>",
      "<dict>\n  <key>a</key>\n  <array>\n    <string>y &amp; z</string>\n  </array>\n</dict>"
    ),
    (
      "<dict>\n  <key>a</key>\n  <array>\n  </array>\n</dict>",
      "<dict>\n  <key>a</key>\n  <array>\n    <string>y &amp; z</string>\n  </array>\n</dict>"
    ),
    (
      "<dict>\n  <key>a</key>\n  <array> <!-- none -->\n  </array>\n</dict>",
      "<dict>\n  <key>a</key>\n  <array> <!-- none -->\n    <string>y &amp; z</string>\n"
        + "  </array>\n</dict>"
    ),
    (
      "<dict>\n  <key>b</key>\n  <true/>\n</dict>",
      "<dict>\n  <key>b</key>\n  <true/>\n  <key>a</key>\n  <array>\n    <string>y &amp; z</string>"
        + "\n  </array>\n</dict>"
    ),
    (
      "<dict><key>b</key><true/></dict>",
      "<dict><key>b</key><true/><key>a</key><array><string>y &amp; z</string></array></dict>"
    ),
    (
      "<dict/>",
      "<dict>\n\t<key>a</key>\n\t<array>\n\t\t<string>y &amp; z</string>\n\t</array>\n</dict>"
    ),
  ]

  @Test(arguments: appends)
  func `a fix formats added strings like the rest of the property list`(old: String, new: String)
    throws
  {
    let list = try Lists.read(Lists.xml(old))
    let repair = Repair.append(["a"], ["y & z"])
    let edits = try #require(ListEditor(list)).edits(for: [repair])
    let after = ListEdit.apply(edits, to: Lists.xml(old))
    #expect(
      String(decoding: after, as: UTF8.self) == String(decoding: Lists.xml(new), as: UTF8.self))
    #expect(try Lists.read(after).top == list.top.repaired([repair]))
  }

  @Test(
    arguments: [
      ("a &lt; b", "a < c", "a &lt; c"), ("one &quot;two&quot;", "one \"three\" \"two\"", nil),
      ("<![CDATA[a < b]]>", "a < c", "a &lt; c"), ("", "x", "x"), ("x", "", nil),
      ("a\r\n  b c d e", "a\n  b c d f", "a\r\n  b c d f"),
      ("a<!-- c -->b c d", "ab c e", "a<!-- c -->b c e"), ("&#97; b c", "a b d", "&#97; b d"),
    ] as [(String, String, String?)])
  func `a fix of a string keeps line ends, comments and entities in its unchanged parts`(
    old: String, new: String, written: String?
  )
    throws
  {
    let list = try Lists.read(Lists.xml("<dict><key>k</key><string>\(old)</string></dict>"))
    let repair = Repair.replace(["k"], with: new)
    let edits = try #require(ListEditor(list)).edits(for: [repair])
    let after = ListEdit.apply(edits, to: try #require(list.text).bytes)
    #expect(try Lists.read(after).top == list.top.repaired([repair]))
    if let written {
      #expect(String(decoding: after, as: UTF8.self).contains("<string>\(written)</string>"))
    }
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `any string of a property list can be replaced by any other`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let words = ["a", "b", " ", "\n", "&", "<", "\"", "é", "ANY", "||", "public.image", "'"]
    for _ in 0..<200 {
      let texts = (0..<2).map { _ in
        (0..<Int.random(in: 0..<20, using: &random))
          .map { _ in words.randomElement(using: &random) ?? "" }.joined()
      }
      let style = EscapeStyle(
        escapesQuotes: Bool.random(using: &random), newline: "\n", isASCII: false)
      let xml = Lists.xml("<dict><key>k</key><string>\(style.escaped(texts[0]))</string></dict>")
      let list = try Lists.read(xml)
      let edits = try #require(ListEditor(list)).edits(for: [.replace(["k"], with: texts[1])])
      #expect(try Lists.read(ListEdit.apply(edits, to: xml))["k"]?.string == texts[1])
    }
  }

  @Test func `a fix preserves a file's permissions and symbolic links`() throws {
    let folder = try Workspace()
    let file = try folder.write("old", to: "a/b.plist")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.plist"), withDestinationPath: "a/b.plist")
    try BundleFile.replace(folder.path("link.plist"), with: Array("new".utf8))
    #expect(try folder.read("a/b.plist") == "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.plist"))
        == "a/b.plist")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("a")) == ["b.plist"])
  }

  @Test func `SARIF findings have rules, positions and fixes`() throws {
    let sample = try SampleApp(changing: Self.changes)
    let report = BundleReport(try BundleReport.findings(about: sample.read()))
    var writer = JSONWriter()
    report.writeSARIF(to: &writer)
    let log = try JSONReader.read(writer.text)
    #expect(log["version"]?.string == "2.1.0")
    let run = try #require(log["runs"]?.array?.first)
    let rules = try #require(run["tool"]?["driver"]?["rules"]?.array)
    #expect(rules.map { $0["id"]?.string } == BundleRule.allCases.map(\.rawValue))
    let results = try #require(run["results"]?.array)
    #expect(results.count == report.findings.count)
    for (result, finding) in zip(results, report.findings) {
      let index = try #require(result["ruleIndex"]?.int)
      #expect(rules[index]["id"]?.string == finding.rule.rawValue)
      let place = result["locations"]?.array?.first?["physicalLocation"]
      #expect(place?["artifactLocation"]?["uri"]?.string == "file://\(finding.file)")
      #expect(place?["region"]?["startLine"]?.int == finding.position?.line)
      let replacements = result["fixes"]?.array?.first?["artifactChanges"]?.array?.first?[
        "replacements"]?.array
      #expect(replacements?.count == finding.replacements.count)
      #expect(!finding.replacements.isEmpty)
    }
  }
}
