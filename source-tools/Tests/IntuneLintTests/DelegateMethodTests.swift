import Encodings
import IntuneLint
import Output
import Testing

@Suite struct DelegateMethodTests {
  @Test(arguments: [
    (
      "enrollmentRequest(with s: IntuneMAMEnrollmentStatus, andRefreshedPolicies p: Bool)",
      "enrollmentRequest(with:)"
    ),
    ("enrolmentRequest(with s: IntuneMAMEnrollmentStatus)", "enrollmentRequest(with:)"),
    ("unenrollmentRequest(with s: IntuneMAMEnrollmentStatus)", "unenrollRequest(with:)"),
    ("policyRequest(withStatus s: IntuneMAMEnrollmentStatus)", "policyRequest(with:)"),
    (
      "getAccessToken(forAccount a: String, resource: String, completion: () -> Void)",
      "getAccessToken(forAccountId:resource:completion:)"
    ),
  ])
  func `a method similar to a delegate method is reported as unknown`(
    method: String, suggestion: String
  )
    throws
  {
    let text = "class D: NSObject, IntuneMAMEnrollmentDelegate {\n  func \(method) {}\n}"
    let findings = try Linting.findings(text)
    #expect(findings.map(\.rule) == [.unknownDelegateMethod])
    #expect(findings.first?.suggestion == suggestion)
    #expect(findings.first?.position?.line == 2)
  }

  @Test(arguments: [
    "func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}",
    "private func enrollmentRequest(of user: User) {}",
    "func enrollmentRequest() {}",
    "func handleEnrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}",
    "func show(_ status: IntuneMAMEnrollmentStatus) {}",
    "static func policyRequest(of user: User) {}",
    "@objc(policyRequestWithStatus:) func policyRequest(status: IntuneMAMEnrollmentStatus) {}",
    "func f() { func policyRequest(of user: User) {} }",
  ])
  func `the app's own methods in a delegate are not reported`(method: String) throws {
    #expect(try Linting.codes("class D: IntuneMAMEnrollmentDelegate { \(method) }") == [])
  }

  @Test func `methods of types that are not delegates are not reported`() throws {
    #expect(try Linting.codes("class D { func enrollmentRequest(of user: User) {} }") == [])
  }

  @Test func `delegate methods are checked if another file declares the conformance`() throws {
    let findings = try Linting.findings(
      "extension D: IntuneMAMPolicyDelegate {}",
      "extension D { func wipeData(forAccount a: String) -> Bool { ok } }")
    #expect(
      findings.map(\.description) == [
        "1.swift:1:20: warning: `wipeData(forAccount:)` is no longer called: 20.1.0 removed it from "
          + "`IntuneMAMPolicyDelegate`; the replacement is `wipeData(forAccountId:)` [removedDelegateMethod]"
      ])
  }

  @Test(arguments: [
    ("21.7.1", "removedDelegateMethod"), ("20.1.0", "removedDelegateMethod"),
    ("19.7.14", "deprecatedMember"), ("16.0.0", nil),
  ])
  func `a delegate method is deprecated or removed depending on the SDK version`(
    sdk: String, rule: String?
  ) throws {
    let text = """
      class D: IntuneMAMPolicyDelegate {
        func identitySwitchRequired(_ upn: String, reason: IntuneMAMIdentitySwitchReason,
          completionHandler: (IntuneMAMSwitchIdentityResult) -> Void) { completionHandler(.success) }
      }
      """
    #expect(try Linting.codes(text, sdk: sdk) == (rule.map { ["\($0):2"] } ?? []))
  }

  @Test func `a deprecated delegate method next to its replacement causes only a note`() throws {
    let text = """
      class D: IntuneMAMPolicyDelegate {
        func wipeData(forAccount a: String) -> Bool { wipe(a) }
        func wipeData(forAccountId a: String) -> Bool { wipe(a) }
      }
      """
    #expect(try Linting.findings(text).map(\.severity) == [.note])
  }

  @Test func `a delegate method newer than the SDK version is reported`() throws {
    let text = """
      class D: IntuneMAMEnrollmentDelegate {
        func getAccessToken(forAccountId a: String, resource: String, completion: (T) -> Void) { completion(t) }
      }
      """
    #expect(try Linting.codes(text, sdk: "21.6.0") == ["tooNewMember:2"])
    #expect(try Linting.codes(text) == [])
  }
}
