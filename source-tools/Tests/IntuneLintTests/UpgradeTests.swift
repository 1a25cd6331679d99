import Encodings
import IntuneLint
import Output
import Testing

@Suite struct UpgradeTests {
  private static let repository = "https://github.com/microsoftconnect/ms-intune-app-sdk-ios"

  /// A delegate and a call that 19.5.0 deprecates and 20.1.0 removes.
  private static let old = """
    import IntuneMAMSwift
    class D: IntuneMAMPolicyDelegate {
      func wipeData(forAccount a: String) -> Bool { wipe(a) }
    }
    func f() {
      _ = IntuneMAMEnrollmentManager.instance().enrolledAccount()
    }
    """

  // MARK: - The releases

  @Test(arguments: ["21.7.1", "15.0", "99.9", "19.7.14..21.7.1", "19..21.1"])
  func `an SDK release or range of releases is parsed`(text: String) throws {
    #expect(try SDKChoice(text).description == text)
  }

  @Test(arguments: ["", "20.x", "..", "19.5.0..", "..21.7.1", "19.5.0...21.7.1", "19..20.1..21.1"])
  func `an SDK choice without a valid version is an error`(text: String) {
    #expect(throws: SDKChoiceError.notAVersion) { try SDKChoice(text) }
  }

  @Test(arguments: [
    (
      "20.0.0..21.1.0",
      "20.0.0 is not a known release of the SDK; did you mean 19.7.14 or 20.1.0?"
    ),
    ("19.5.0..99.9", "99.9 is not a known release of the SDK; did you mean 21.7.1?"),
    ("8.0..9.0.3", "8.0 is not a known release of the SDK; did you mean 9.0.3?"),
    (
      "21.7.1..20.1.0",
      "21.7.1 is not older than 20.1.0; write the current release first, as in 19.7.14..21.7.1"
    ),
    (
      "15.0..15.0.0",
      "15.0 is not older than 15.0.0; write the current release first, as in 19.7.14..21.7.1"
    ),
  ])
  func `an upgrade requires two known releases in ascending order`(text: String, message: String) {
    let error = #expect(throws: SDKChoiceError.self) { try SDKChoice(text) }
    #expect(error?.description == message)
  }

  // MARK: - Declarations

  @Test func `findings about declarations removed in an upgrade cite the release notes`() throws {
    let notes = "\(Self.repository)/releases/tag"
    #expect(
      try Linting.findings(Self.old, sdk: "19.7.14..20.1.0").map(\.description) == [
        "0.swift:1:1: warning: as of 20.1.0, the SDK needs Xcode 16 and iOS 16 or later "
          + "(\(notes)/20.1.0) [changedRequirement]",
        "0.swift:3:8: warning: `wipeData(forAccount:)` is no longer called: 20.1.0 removed it from "
          + "`IntuneMAMPolicyDelegate`; the replacement is `wipeData(forAccountId:)`, which uses the Entra object "
          + "ID instead of the UPN (\(notes)/20.1.0) [removedDelegateMethod]",
        "0.swift:6:45: error: `enrolledAccount()` of `IntuneMAMEnrollmentManager` was removed in 20.1.0; "
          + "the replacement is `enrolledAccountId()`, which uses the Entra object ID instead of the UPN; "
          + "to get the UPN, pass the object ID to MSAL's `account(forIdentifier:)` and read `username` (\(Self.repository)/issues/470) "
          + "(\(notes)/20.1.0) [removedMember]",
      ])
  }

  @Test(arguments: [
    (
      "16.0.0..19.7.14",
      ["changedRequirement:1", "changedRequirement:1", "deprecatedMember:3", "deprecatedMember:6"]
    ),
    ("19.5.0..19.7.14", []),
    ("20.1.0..21.7.1", ["changedRequirement:1", "changedRequirement:1", "changedRequirement:1"]),
    ("21.1.0..21.7.1", []),
  ])
  func `an upgrade check reports only code that the upgrade affects`(sdk: String, codes: [String])
    throws
  {
    #expect(try Linting.codes(Self.old, sdk: sdk) == codes)
  }

  @Test func `an upgrade's changed requirements are reported once, at the first import`() throws {
    let file = "import IntuneMAMSwift"
    let findings = try Linting.findings(file, file, sdk: "18.2.0..20.9.6")
    #expect(findings.map { "\($0.file) \($0.rule.code)" } == ["0.swift changedRequirement"])
  }

  @Test func `a later Xcode requirement replaces an earlier Xcode requirement`() throws {
    let findings = try Linting.findings("import IntuneMAMSwift", sdk: "15.0.0..21.7.1")
    let xcode = findings.map(\.message).filter { $0.contains("Xcode") }
    #expect(xcode.count == 1 && xcode[0].contains("Xcode 26 and iOS 17"))
  }

  @Test(arguments: [
    ("14.3.0", "func f(_ location: IntuneMAMLocation) {}", "removedMember:1"),
    (
      "21.1.0", "func f() { _ = IntuneMAMSwiftContextManager.getScopedIdentity() }",
      "removedMember:1"
    ),
    (
      "15.0.0", "func f() { IntuneMAMPolicyManager.instance().setCurrentThreadIdentity(upn) }",
      "deprecatedMember:1"
    ),
    (
      "14.0.0",
      "class D: IntuneMAMPolicyDelegate { func isExternalURL(_ url: URL) -> Bool { true } }",
      "removedDelegateMethod:1"
    ),
  ])
  func `upgrade findings include types, static members and delegate methods`(
    release: String, text: String, code: String
  ) throws {
    let older = ["14.3.0": "14.1.3", "21.1.0": "20.9.6", "15.0.0": "14.6.0", "14.0.0": "13.0.0"]
    let from = try #require(older[release])
    #expect(try Linting.codes(text, sdk: "\(from)..\(release)") == [code])
  }

  @Test func `an upgrade check ignores mistakes that the upgrade does not affect`() throws {
    let text = """
      class D: NSObject, IntuneMAMEnrollmentDelegate { func enrolmentRequest(with s: S) {} }
      func f() { IntuneMAMEnrollmentManager.instance().delegate = D() }
      """
    #expect(try Linting.codes(text) != [])
    #expect(try Linting.codes(text, sdk: "19.7.14..21.7.1") == [])
  }

  // MARK: - Behavior

  @Test(arguments: [
    (
      "9.0.13..10.0.1", "changedBehavior:2",
      """
      class D: IntuneMAMPolicyDelegate {
        func identitySwitchRequired(_ upn: String, reason: IntuneMAMIdentitySwitchReason,
          completionHandler: (IntuneMAMSwitchIdentityResult) -> Void) {}
      }
      """
    ),
    (
      "17.4.2..17.5.0", "changedBehavior:2",
      """
      func f() {
        show(IntuneMAMEnrollmentManager.instance().enrolledAccountId())
      }
      """
    ),
    (
      "19.4.0..19.5.0", "changedBehavior:2",
      """
      class A: UIApplicationDelegate {
        func application(_ app: UIApplication, open url: URL, options: [Key: Any] = [:]) -> Bool { true }
      }
      """
    ),
  ])
  func `a change of SDK behaviour is reported at the code that depends on it`(
    sdk: String, code: String, text: String
  ) throws {
    let user = "let isManaged = IntuneMAMPolicyManager.instance().policy() != nil"
    let findings = try Linting.findings(user, text, sdk: sdk)
    #expect(findings.map { "\($0.rule.code):\($0.position?.line ?? 0)" } == [code])
    #expect(findings.allSatisfy { $0.file == "1.swift" && $0.message.contains(Self.repository) })
  }

  @Test(arguments: [
    ("case .openURL: a()\ncase .cancelConditionalLaunch: b()", ["missingAfterUpgrade:1"]),
    ("case .openURL, .cancelConditionalLaunch, .documentImport: a()", []),
    ("case .openURL: a()\ncase .cancelConditionalLaunch: b()\n@unknown default: c()", []),
    ("case .openURL: a()\ndefault: c()", []),
    ("case .openURL: a()\ncase .other: b()", []),
  ])
  func `a switch that lacks a case of the new release is reported`(cases: String, codes: [String])
    throws
  {
    let text = "func f(_ reason: IntuneMAMIdentitySwitchReason) { switch reason {\n\(cases)\n} }"
    #expect(try Linting.codes(text, sdk: "9.0.13..10.0.1") == codes)
  }

  @Test(arguments: [("", ["missingAfterUpgrade:1"]), (Self.logMethod, [])])
  func `a delegate method that an SDK upgrade newly requires is found`(
    method: String, codes: [String]
  ) throws {
    let text = "class T: NSObject, IntuneMAMTelemetryDelegate { \(method) }"
    #expect(try Linting.codes(text, sdk: "17.4.2..17.5.0") == codes)
  }

  private static let logMethod =
    "func logAriaEvent(forAccountId a: S, withName n: S, properties p: S, privacyLevel l: S, "
    + "privacyDataTypes d: S, priorityLevel i: S, dataRegion r: S, tenantID t: S) {}"
}
