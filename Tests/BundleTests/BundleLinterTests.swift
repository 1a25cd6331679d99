import Activation
@testable import Bundle
import Foundation
import Output
import Testing
import TestSupport
import UniformTypes

/// Tests the findings of `lint`: none for a correct bundle, and one for each defect.
struct BundleLinterTests {
  /// A replacement in a file, with the resulting findings.
  struct Case: CustomTestStringConvertible {
    var file: String
    var old: String
    var new: String
    var findings: [String]

    init(_ file: String, _ old: String, _ new: String, _ findings: String...) {
      self.file = file
      self.old = old
      self.new = new
      self.findings = findings.map { $0.replacing("#", with: file) }
    }

    var testDescription: String { "\(file): \(new)" }
  }

  @Test func `a valid bundle has no findings`() throws {
    #expect(try SampleApp().findings() == [])
  }

  @Test func `lint accepts an activation rule that names a type of another app`() throws {
    let named = Self.shared.replacing("public.image", with: "org.elsewhere.drawing")
    #expect(try SampleApp(changing: [(SampleApp.share, Self.shared, named)]).findings() == [])
  }

  @Test(arguments: rules + hiding + naming + openIn + identity + integration + groups)
  func `each kind of bundle defect is found`(case one: Case) throws {
    let sample = try SampleApp(changing: [(one.file, one.old, one.new)])
    let findings = try sample.findings()
    #expect(findings.count == one.findings.count)
    for (finding, expected) in zip(findings, one.findings) {
      // A finding about a predicate's text ends with the message of its parser.
      if expected.hasSuffix("]") {
        #expect(finding == expected)
      } else {
        #expect(finding.hasPrefix(expected))
        #expect(finding.hasSuffix("[ruleInvalid]"))
      }
    }
  }

  @Test(arguments: [
    ("<key>DTSDKName</key><string>iphoneos27.0</string>", 25, nil),
    ("<key>DTSDKName</key><string>iphoneos27.0</string>", 26, "warning"),
    ("<key>DTPlatformVersion</key><string>27.1</string>", 26, "warning"),
    ("<key>MinimumOSVersion</key><string>27.0</string>", 26, "warning"),
    ("<key>DTSDKName</key><string>iphonesimulator26.2</string>", 50, nil),
    ("<key>DTSDKName</key><string>iphoneos26.2</string>", 51, "warning"),
    ("", 25, nil), ("", 26, "note"), ("", 51, "warning"),
  ])
  func `the limit of queried schemes depends on the iOS SDK of the build`(
    sdk: String, count: Int, severity: String?
  ) throws {
    let schemes = (0..<count).map { "<string>app\($0)</string>" }.joined()
    let found = try findings(
      "<key>CFBundleIdentifier</key><string>a.b</string>\(sdk)"
        + "<key>LSApplicationQueriesSchemes</key><array>\(schemes)</array>"
    ).filter { $0.contains("[queriedLimit]") }
    #expect(found.count == (severity == nil ? 0 : 1))
    guard let severity, let finding = found.first else { return }
    #expect(finding.contains("\(severity): `LSApplicationQueriesSchemes` has \(count) schemes"))
    #expect(finding.contains(", not `app\(count > 50 ? 50 : 25)`"))
  }

  @Test func `if a folder has several entitlements files, the macOS file is ignored`() throws {
    let folder = try Workspace()
    let list = { (body: String) in "\(Lists.head)<dict>\(body)</dict>\n</plist>\n" }
    try folder.write(
      list("<key>CFBundleIdentifier</key><string>a.b</string><key>IntuneMAMSettings</key><dict/>"),
      to: "App/Info.plist")
    let sandbox = "<key>com.apple.security.app-sandbox</key><true/>"
    let groups = "<key>keychain-access-groups</key><array><string>x.a.b</string></array>"
    try folder.write(list(sandbox + groups), to: "App/A-macOS.entitlements")
    try folder.write(list(groups), to: "App/B.entitlements")
    let bundle = { try AppBundle(at: folder.path("App"), settings: BuildSettings()) }
    #expect(try bundle().source.entitlements?.file == folder.path("App/B.entitlements"))

    try folder.write(list(groups), to: "App/C.entitlements")
    let ambiguous = try bundle()
    #expect(ambiguous.source.entitlements == nil)
    let findings = BundleReport.findings(about: .bundle(ambiguous, in: nil))
    let notes = findings.filter { $0.rule == .entitlementsFile }
    #expect(notes.count == 1 && notes[0].severity == .note)
    #expect(notes[0].message.contains("which of `B.entitlements`, `C.entitlements` has"))
    #expect(!findings.contains { $0.rule == .keychainGroup || $0.rule == .appGroupNotGranted })
    let named = try AppBundle(
      at: folder.path("App"), settings: BuildSettings(),
      entitlements: folder.path("App/C.entitlements"))
    #expect(named.source.entitlements?.file == folder.path("App/C.entitlements"))
  }

  @Test func `an empty property list is reported as empty`() throws {
    let folder = try Workspace()
    try folder.write("", to: "E.app/Info.plist")
    let error = try #require(throws: BundleError.self) {
      try AppBundle(at: folder.path("E.app"), settings: BuildSettings())
    }
    #expect(error.message == "the file is empty")
  }

  private func findings(_ body: String, in bundle: String? = nil) throws -> [String] {
    let folder = try Workspace()
    try folder.write(
      "\(Lists.head)<dict>\(body)</dict>\n</plist>\n",
      to: bundle.map { "\($0)/Info.plist" } ?? "a.plist")
    let input = try BundleInput(
      at: folder.path(bundle ?? "a.plist"), settings: BuildSettings())
    return BundleReport.findings(about: input).map {
      $0.description.replacing("\(folder.path)/", with: "")
    }
  }

  @Test func `a missing Info.plist key that Xcode generates is a note, not an error`() throws {
    #expect(
      try findings(AppBundleTests.point("com.apple.keyboard-service")) == [
        "a.plist:4:1: note: `CFBundleIdentifier` is not stated; Xcode adds it "
          + "(`GENERATE_INFOPLIST_FILE`), as `sluice` does with `--set PRODUCT_BUNDLE_IDENTIFIER=…` "
          + "[identifierMissing]",
        "a.plist:4:7: error: neither `NSExtensionPrincipalClass` nor `NSExtensionMainStoryboard` is "
          + "stated; state one of them [principal]",
        "a.plist:4:7: note: `RequestsOpenAccess` is not true: the keyboard runs without full "
          + "access [fullAccess]",
      ])
  }

  @Test func `lint reports an activation rule that never matches`() throws {
    let found = try findings(
      """
      <key>CFBundleIdentifier</key><string>a</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>
      <key>NSExtensionPrincipalClass</key><string>A</string>
      <key>NSExtensionAttributes</key><dict>
      <key>NSExtensionActivationRule</key><string>falsepredicate</string>
      </dict></dict>
      """)
    #expect(
      found == [
        "a.plist:9:1: warning: the rule is `FALSEPREDICATE`, so the extension is never offered "
          + "[ruleValue]"
      ])
  }

  @Test func `lint reports dictionary activation rules with a count that is zero or text`() throws {
    let found = try findings(
      """
      <key>CFBundleIdentifier</key><string>a</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>
      <key>NSExtensionPrincipalClass</key><string>A</string>
      <key>NSExtensionAttributes</key><dict>
      <key>NSExtensionActivationRule</key><dict>
      <key>NSExtensionActivationSupportsImageWithMaxCount</key><integer>0</integer>
      <key>NSExtensionActivationSupportsFileWithMaxCount</key><string>2</string>
      </dict></dict></dict>
      """)
    #expect(
      found.contains { $0.hasPrefix("a.plist:10:1: note: ") && $0.hasSuffix("[ruleValue]") })
    #expect(
      found.contains { $0.hasPrefix("a.plist:11:1: warning: ") && $0.hasSuffix("[ruleValue]") })
  }

  @Test func `standalone entitlements are checked for team prefixes and for the SDK's groups`()
    throws
  {
    let folder = try Workspace()
    try folder.write(
      "\(Lists.head)<dict><key>keychain-access-groups</key><array>\n<string>a.b</string>"
        + "GROUP</array></dict>\n</plist>\n", to: "A.entitlements")
    // A target with the SDK needs the second group only if it has the first.
    for (group, found) in [
      ("", ["error keychainPrefix"]),
      (
        "<string>$(AppIdentifierPrefix)com.microsoft.adalcache</string>",
        ["warning keychainGroup", "error keychainPrefix"]
      ),
    ] {
      let text = try folder.read("A.entitlements").replacing("GROUP", with: group)
      try folder.write(text, to: "B.entitlements")
      let input = try BundleInput(at: folder.path("B.entitlements"), settings: BuildSettings())
      #expect(
        BundleReport.findings(about: input).map { "\($0.severity.rawValue) \($0.rule.code)" }
          == found)
    }
  }

  /// Deviations that most templates have are not warnings without the SDK.
  @Test func `in a bundle without the SDK, values from Xcode's templates cause only notes`() throws
  {
    let zero = "<key>NSExtensionActivationSupportsFileWithMaxCount</key><integer>0</integer>"
    let text = "<key>NSExtensionActivationSupportsText</key><true/>"
    let rule = { (rule: String) in
      "<key>NSExtension</key><dict><key>NSExtensionPointIdentifier</key>"
        + "<string>com.apple.share-services</string><key>NSExtensionPrincipalClass</key>"
        + "<string>A</string><key>NSExtensionAttributes</key><dict>"
        + "<key>NSExtensionActivationRule</key>\(rule)</dict></dict>"
    }
    let codes = { (found: [String]) in
      found.map { String($0.split(separator: " ")[1] + $0.drop { $0 != "[" }) }
    }
    #expect(
      codes(try findings(rule("<dict>\(zero)\(text)</dict>"))) == [
        "note:[identifierMissing]", "note:[ruleUnprefixed]", "note:[ruleValue]",
      ])
    let sdk = "<key>IntuneMAMSettings</key><dict><key>ContainingAppBundleId</key>"
    let integrated = rule("<dict>\(text)</dict>") + sdk + "<string>a.b</string></dict>"
    #expect(codes(try findings(integrated)).contains("warning:[ruleUnprefixed]"))
    for predicate in [
      "TRUEPREDICATE",
      "SUBQUERY(extensionItems, $i, NOT (FALSEPREDICATE OR truepredicate)).@count == 1",
    ] {
      #expect(
        codes(try findings(rule("<string>\(predicate)</string>")))
          .contains("warning:[ruleUnconditional]"))
    }
    #expect(
      !codes(
        try findings(
          rule(
            "<string>SUBQUERY(extensionItems, $i, $i.attachments.@count == 1).@count == 1</string>")
        )
      ).contains("warning:[ruleUnconditional]"))
  }

  /// A comparison with the number of image attachments, and the numbers for which it is never true.
  static let counts: [(String, [String])] = [
    (".@count == 1", []), (".@count >= 1", []), (".@count > 0 AND #.@count <= 20", []),
    (".@count <= 20", ["`@count <= 20`"]), (".@count != 2", ["`@count != 2`"]),
    (".@count < 5 AND #.@count >= 0", ["`@count < 5`", "`@count >= 0`"]),
  ]

  /// `lint` and `activation` must agree about a rule.
  @Test(arguments: counts)
  func `lint and activation agree on rules that match an empty selection`(
    comparison: String, causes: [String]
  ) throws {
    let images = """
      SUBQUERY($e.attachments, $a, ANY $a.registeredTypeIdentifiers UTI-CONFORMS-TO "public.image")
      """
    let text =
      "SUBQUERY(extensionItems, $e, \(images)\(comparison.replacing("#", with: images))).@count == 1"
    let found = try findings(
      """
      <key>CFBundleIdentifier</key><string>a</string>
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.share-services</string>
      <key>NSExtensionPrincipalClass</key><string>A</string>
      <key>NSExtensionAttributes</key><dict>
      <key>NSExtensionActivationRule</key><string>\(text.replacing("<", with: "&lt;"))</string>
      </dict></dict>
      """)
    let rule = ActivationRule.predicate(try Activation.Predicate(parsing: text))
    let takes = { (types: String...) in
      rule.matches(types.map { SharedItem(types: [$0]) }, types: .system)
    }
    #expect(takes("public.jpeg"))
    let isHidden = !takes("com.microsoft.intune.mam.public.jpeg")
    #expect(isHidden == causes.isEmpty)
    #expect(takes("com.adobe.pdf") == !causes.isEmpty)
    let prefix = "a.plist:9:1: "
    let lacks = "note: the rule lacks `com.microsoft.intune.mam.public.image`"
    let verb = causes.count == 1 ? "is" : "are"
    #expect(
      found
        == (isHidden
          ? [
            prefix + lacks
              + ", so a policy that restricts sharing hides the extension [ruleUnprefixed]"
          ]
          : [
            prefix + "warning: the rule accepts items of types that it does not name: "
              + "\(causes.joined(separator: " and ")) \(verb) true if nothing matches [ruleUnnamed]",
            prefix + lacks
              + "; if a policy restricts sharing, the extension remains visible only because the rule accepts types that "
              + "it does not name [ruleUnprefixed]",
          ]))
  }

  @Test func `a misspelt keychain group of the SDK is corrected in place`() throws {
    let folder = try Workspace()
    try folder.write(
      "\(Lists.head)<dict><key>keychain-access-groups</key><array>\n"
        + "<string>$(AppIdentifierPrefix)com.contoso.app</string>\n"
        + "<string>$(AppIdentifierPrefix)com.microsft.intune.mam</string>\n"
        + "</array></dict>\n</plist>\n", to: "A.entitlements")
    let input = try BundleInput(at: folder.path("A.entitlements"), settings: BuildSettings())
    #expect(
      BundleReport.findings(about: input).map(\.message) == [
        "`keychain-access-groups` lacks `com.microsoft.adalcache`",
        "`keychain-access-groups` contains `com.microsft.intune.mam` instead of `com.microsoft.intune.mam`",
      ])
    let fixed = try #require(try BundleFixer.fixes(of: input).first)
    let groups = try PropertyList(fixed.after, file: "a")["keychain-access-groups"]?.array
    #expect(
      groups?.compactMap(\.string) == [
        "$(AppIdentifierPrefix)com.contoso.app", "$(AppIdentifierPrefix)com.microsoft.intune.mam",
        "$(AppIdentifierPrefix)com.microsoft.adalcache",
      ])
  }

  @Test func `bundle lint's text shows one note of each kind and counts the rest`() throws {
    let folder = try Workspace()
    for name in ["a", "b", "c"] {
      try folder.write(
        "\(Lists.head)<dict><key>CFBundleIdentifier</key><string>$(ID)</string></dict>\n</plist>\n",
        to: "\(name).plist")
    }
    let findings = try BundleInput.paths(at: folder.path).flatMap { path in
      BundleReport.findings(about: try BundleInput(at: path, settings: BuildSettings()))
    }
    let text = BundleReport(findings).text.replacing("\(folder.path)/", with: "")
    #expect(text.split(separator: "[unresolvedVariable]").count == 2, "\(text)")
    #expect(text.hasPrefix("a.plist:"))
    #expect(text.contains("\n  and 2 more like it; `--format json` lists all\n"))
    #expect(text.hasSuffix("\n0 errors, 0 warnings, 3 notes\n"))
  }

  @Test func `bundle lint finds the apps, extensions and property lists in a folder`() throws {
    let folder = try Workspace()
    let app =
      "\(Lists.head)<dict><key>CFBundleIdentifier</key><string>a.b</string></dict>\n</plist>\n"
    let rights = "\(Lists.head)<dict/>\n</plist>\n"
    for file in [
      "Sources/App/Info.plist", "Sources/App/Share/Info.plist", "Sources/Notes-Info.plist",
      "Built.app/Info.plist", "Built.app/PlugIns/S.appex/Info.plist", "Lib.framework/Info.plist",
      ".git/Info.plist", "Deep/er/Clip.appex/Info.plist",
    ] {
      try folder.write(app, to: file)
    }
    for file in ["Sources/App/App.entitlements", "Sources/Other.entitlements"] {
      try folder.write(rights, to: file)
    }
    try folder.write(rights, to: "Sources/Settings.plist")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Sources/loop"), withDestinationPath: folder.path)
    let found = { (path: String) in
      try BundleInput.paths(at: path).map { $0.replacing("\(folder.path)/", with: "") }
    }
    #expect(
      try found(folder.path + "/") == [
        "Built.app", "Deep/er/Clip.appex", "Sources/App", "Sources/App/Share",
        "Sources/Notes-Info.plist", "Sources/Other.entitlements",
      ])
    #expect(try found(folder.path("Built.app")) == ["Built.app"])
    #expect(try found(folder.path("Sources/App")) == ["Sources/App", "Sources/App/Share"])
  }

  @Test func `a source bundle without an id causes a note or uses PRODUCT_BUNDLE_IDENTIFIER`()
    throws
  {
    let body = "<key>CFBundleName</key><string>A</string>"
    #expect(
      try findings(body, in: "A").first?.contains("note: `CFBundleIdentifier` is not") == true)
    #expect(
      try findings(body, in: "A.app").first?.contains("error: `CFBundleIdentifier` is") == true)
    let list = try Lists.read(Lists.xml("<dict>\(body)</dict>"))
    let bundle = try AppBundle(
      list, entitlements: nil,
      settings: BuildSettings(["PRODUCT_BUNDLE_IDENTIFIER": "org.example.$(X)", "X": "a"]),
      path: "a.plist")
    #expect(bundle.info.identifier == "org.example.a")
  }

  @Test func `an extension outside an app is reported as an orphan`() throws {
    let found = try findings(
      """
      <key>CFBundleIdentifier</key><string>a</string>
      \(AppBundleTests.point("com.apple.fileprovider-nonui"))
      """, in: "A.appex")
    #expect(
      found.contains(
        "A.appex/Info.plist:5:1: warning: the extension is not in an app, so it is never installed "
          + "[orphan]"))
  }

  @Test func `the shipped bundles have no lint errors`() throws {
    for name in ["examples/NoteKeeper.app", "plugins/SaveNote.appex", "plugins/Shout.appex"] {
      let input = try BundleInput(
        at: Repository.path(name), settings: BuildSettings(team: "TEAM123456"))
      #expect(!BundleReport(BundleReport.findings(about: input)).hasFindings(from: .error))
    }
  }

  @Test func `every lint rule has a description`() {
    for rule in BundleRule.allCases {
      #expect(rule.summary.split(separator: " ").count > 2 && !rule.summary.hasSuffix("."))
      #expect(rule.help.isEmpty || rule.help.hasSuffix("."))
    }
    // Messages about other rules do not state the remedy.
    #expect(
      BundleRule.allCases.filter(\.help.isEmpty) == [.unreadable, .notLaunched, .unknownPoint])
    #expect(Set(BundleRule.allCases.map(\.summary)).count == BundleRule.allCases.count)
  }
}
