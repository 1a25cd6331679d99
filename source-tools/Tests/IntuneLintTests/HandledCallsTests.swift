import Encodings
import IntuneLint
import SwiftSources
import Testing

struct HandledCallsTests {
  /// Returns each place as `declaration:line`.
  private func places(_ text: String) throws -> [String] {
    let source = try ParsedSource(Array(text.utf8), file: "a.swift")
    return HandledCalls(in: [source]).all.map { "\($0.declaration):\($0.position.line)" }
  }

  @Test func `SDK delegate methods in types and in extensions are found`() throws {
    let found = try places(
      """
      import IntuneMAMSwift
      class D: NSObject, IntuneMAMPolicyDelegate {
        func wipeData(forAccountId id: String) -> Bool { true }
        func wipeData(forUser id: String) -> Bool { true }
      }
      extension D: IntuneMAMEnrollmentDelegate {
        func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {}
      }
      class Other { func policyRequest(with status: IntuneMAMEnrollmentStatus) {} }
      """)
    #expect(found == ["wipeData(forAccountId:):3", "enrollmentRequest(with:):7"])
  }

  @Test func `notifications are found by their Swift and Objective-C names`() throws {
    let found = try places(
      """
      import IntuneMAMSwift
      center.addObserver(self, selector: s, name: .IntuneMAMPolicyDidChange, object: nil)
      center.addObserver(self, selector: s, name: NSNotification.Name.IntuneMAMWipeDidComplete, object: nil)
      let name = IntuneMAMAppConfigDidChangeNotification
      let key = IntuneMAMPolicyDidChangeNotificationAccountId
      """)
    #expect(
      found == [
        "IntuneMAMPolicyDidChange:2", "IntuneMAMWipeDidComplete:3", "IntuneMAMAppConfigDidChange:4",
      ])
  }

  @Test func `names of enrollment statuses are found in comparisons with a status`() throws {
    let found = try places(
      """
      import IntuneMAMSwift
      func f(status: IntuneMAMEnrollmentStatus, phase: Phase) {
        switch status.statusCode {
        case .newPoliciesReceived, .noPolicyReceived: break
        default: break  // open: any other status
        }
        switch phase { case .timeout: break; default: break } // open: any other phase
        if status.statusCode == .authRequired {}
        if case .wipeReceived = status.statusCode {}
        let code = IntuneMAMEnrollmentStatusCode.loginCanceled
        if status.statusCode.rawValue == 213 { print(213) }
        let other = Phase.timeout
      }
      """)
    #expect(
      found == [
        "newPoliciesReceived:4", "noPolicyReceived:4", "authRequired:8", "wipeReceived:9",
        "loginCanceled:10", "appNotEnrolled:11",
      ])
  }

  @Test func `a class in a file that does not import the SDK handles no delegate calls`() throws {
    #expect(try places("class A { func restartApplication() -> Bool { true } }").isEmpty)
  }
}
