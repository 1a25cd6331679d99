import Foundation
import Testing

@testable import MSAL

@Suite struct FailureTests {
  @Test(arguments: [
    (MSALError.internal, -50000), (.workplaceJoinRequired, -50001),
    (.interactionRequired, -50002), (.serverDeclinedScopes, -50003),
    (.serverProtectionPoliciesRequired, -50004), (.userCanceled, -50005), (.serverError, -50006),
    (.insufficientDeviceStrength, -50007), (.mdmEnrollmentCompletedNeedsRetry, -50008),
    (.serverInvalidRequestResetPasswordRequired, -50142),
  ])
  func `MSAL error codes match the MSAL header`(code: MSALError, number: Int) {
    #expect(code.rawValue == number)
  }

  @Test(arguments: [
    (MSALInternalError.internalErrorInvalidParameter, -42000),
    (.internalErrorInvalidRedirectURI, -42011), (.internalErrorAmbiguousAccount, -42102),
    (.internalErrorInteractiveSessionAlreadyRunning, -42402), (.internalBrokerNotAvailable, -42714),
    (.internalErrorUINotSupportedInExtension, -42405),
    (.errorJITRetryRequired, -42729), (.internalErrorInvalidASWebAuthenticationURL, -42745),
  ])
  func `MSAL internal error codes match the MSAL header`(code: MSALInternalError, number: Int) {
    #expect(code.rawValue == number)
  }

  @Test func `a conditional access error names the account`() {
    let refusal = TokenRefusal(code: -50004, homeAccountId: "oid.tenant")
    let error = Failure(refusal, username: "anna@contoso.com").nsError
    #expect(error.domain == "MSALErrorDomain")
    #expect(error.code == -50004)
    #expect(error.userInfo[MSALHomeAccountIdKey] as? String == "oid.tenant")
    #expect(error.userInfo[MSALDisplayableUserIdKey] as? String == "anna@contoso.com")
    #expect(error.userInfo[MSALOAuthErrorKey] as? String == "unauthorized_client")
    #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "protection_policy_required")
    #expect(error.userInfo[MSALInternalErrorCodeKey] == nil)
  }

  @Test(arguments: [-50000, -1, 0])
  func `a token refusal with an unknown code is an MSAL internal error`(code: Int) {
    let error = Failure(TokenRefusal(code: code, homeAccountId: nil), username: nil).nsError
    #expect(error.code == MSALError.internal.rawValue)
    #expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42008)
    #expect(error.userInfo[MSALHomeAccountIdKey] == nil)
    #expect(error.userInfo[MSALErrorDescriptionKey] is String)
  }
}
