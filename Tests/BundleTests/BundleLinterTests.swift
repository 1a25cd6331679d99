@testable import Bundle
import Diagnostics
import Foundation
import TestSupport
import Testing

/// What `lint` finds: nothing in a bundle that is right, and one thing where one thing is wrong.
struct BundleLinterTests {
  /// Of a file, what to replace and with what, and the findings then.
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

  @Test func aBundleThatIsRightHasNoFinding() throws {
    #expect(try SampleApp().findings() == [])
  }

  @Test func aTypeThatAnotherAppMayDeclarePasses() throws {
    let named = Self.shared.replacing("public.image", with: "org.elsewhere.drawing")
    #expect(try SampleApp(changing: [(SampleApp.share, Self.shared, named)]).findings() == [])
  }

  @Test(arguments: rules + hiding + naming + openIn + identity + integration + groups)
  func oneMistakeIsFound(case one: Case) throws {
    let sample = try SampleApp(changing: [(one.file, one.old, one.new)])
    let findings = try sample.findings()
    #expect(findings.count == one.findings.count)
    for (finding, expected) in zip(findings, one.findings) {
      // A finding about a predicate's text ends in the words of its parser.
      if expected.hasSuffix("]") {
        #expect(finding == expected)
      } else {
        #expect(finding.hasPrefix(expected))
        #expect(finding.hasSuffix("[ruleInvalid]"))
      }
    }
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

  @Test func aListAloneIsNotBlamedForWhatXcodeAdds() throws {
    #expect(
      try findings(AppBundleTests.point("com.apple.keyboard-service")) == [
        "a.plist:4:1: note: `CFBundleIdentifier` is not stated; Xcode adds it "
          + "(`GENERATE_INFOPLIST_FILE`), as `sluice` does with `--set PRODUCT_BUNDLE_IDENTIFIER=…` "
          + "[identifierMissing]",
        "a.plist:4:7: error: neither `NSExtensionPrincipalClass` nor `NSExtensionMainStoryboard` is "
          + "stated [principal]",
        "a.plist:4:7: note: `RequestsOpenAccess` is not stated true: the keyboard runs without full "
          + "access [fullAccess]",
      ])
  }

  @Test func aRuleThatNeverHoldsIsFound() throws {
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

  @Test func oddValuesOfADictionaryRuleAreFound() throws {
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

  @Test func entitlementsAloneAreHeldAgainstTheDevice() throws {
    let folder = try Workspace()
    try folder.write(
      "\(Lists.head)<dict><key>keychain-access-groups</key><array>\n<string>a.b</string>"
        + "GROUP</array></dict>\n</plist>\n", to: "A.entitlements")
    // Only a target with the SDK has one of its groups, and is to have the other.
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

  /// What nearly every list has is no warning where no SDK is in sight.
  @Test func whatTemplatesHaveIsANoteAtMost() throws {
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

  @Test func xcodeAddsTheIdentifierToASourceFolder() throws {
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

  @Test func anExtensionOutsideOfAnAppIsAnOrphan() throws {
    let found = try findings(
      """
      <key>CFBundleIdentifier</key><string>a</string>
      \(AppBundleTests.point("com.apple.fileprovider-nonui"))
      """, in: "A.appex")
    #expect(
      found.contains(
        "A.appex/Info.plist:5:1: warning: the extension is in no app, so nothing installs it "
          + "[orphan]"))
  }

  @Test func theBundlesThatShipHaveNoError() throws {
    for name in ["examples/NoteKeeper.app", "plugins/SaveNote.appex", "plugins/Shout.appex"] {
      let input = try BundleInput(
        at: Repository.path(name), settings: BuildSettings(team: "TEAM123456"))
      #expect(!BundleReport(BundleReport.findings(about: input)).hasFindings(from: .error))
    }
  }

  @Test func everyRuleSaysWhatItLooksFor() {
    for rule in BundleRule.allCases {
      #expect(!rule.summary.isEmpty && !rule.summary.hasSuffix("."))
      #expect(rule.help.isEmpty || rule.help.hasSuffix("."))
    }
    #expect(Set(BundleRule.allCases.map(\.summary)).count == BundleRule.allCases.count)
  }
}
