import Model
import Testing
import Wire

@testable import SluiceKit

/// Tests identity switches, with a host in memory.
struct IdentitySwitchTests {
  private let host = MemoryHost()

  @Test func `the host decides an identity switch requested under a thread's account`() {
    let manager = IntuneMAMPolicyManager(host)
    var result: IntuneMAMSwitchIdentityResult?
    for _ in 1...2 {
      IntuneMAMSwiftContextManager.setAccountId("0f8fad5b-d9cb-469f-a165-70867728950e") {
        manager.setUIPolicyAccountId("anna@contoso.com") { result = $0 }
      }
    }
    let change = GuestMessage.Body.switchIdentity(SwitchIdentity(account: "anna@contoso.com"))
    #expect(host.requests == [change, change])
    host.answer(1, .delivered)
    #expect(result == .success)
    host.answer(
      2, .refused, reasons: [OutcomeReason(Reason(.threadOfOtherAccount, .device))])
    #expect(result == .notAllowed)
  }

  @Test(arguments: [
    (Rule.accountBeingWiped, IntuneMAMSwitchIdentityResult.notAllowed),
    (.accountBlocked, .notAllowed), (.singleManagedAccount, .notAllowed),
    (.pinAsked, .canceled), (.credentialsAsked, .canceled), (.jailbrokenBlocks, .failed),
  ])
  func `the deciding rule determines the result of a rejected identity switch`(
    rule: Rule, expected: IntuneMAMSwitchIdentityResult
  ) {
    var result: IntuneMAMSwitchIdentityResult?
    IntuneMAMPolicyManager(host).setUIPolicyAccountId("anna@contoso.com") { result = $0 }
    host.answer(1, .refused, reasons: [OutcomeReason(Reason(rule, .device))])
    #expect(result == expected)
  }
}
