import Foundation
import Testing

@testable import MSAL

@Suite struct ClaimsRequestTests {
  @Test func `a claims request round-trips`() throws {
    let json =
      #"{"access_token":{"nbf":{"essential":true,"value":"7"}},"id_token":{"email":null}}"#
    let request = try MSALClaimsRequest(jsonString: json)
    #expect(request.jsonString() == json)
    #expect(request.claimsRequests(for: .accessToken)?.map(\.name) == ["nbf"])
  }

  @Test(arguments: ["", "[]", "{", #"{"id_token": 7}"#])
  func `an invalid claims request is rejected`(json: String) {
    #expect(throws: NSError.self) { try MSALClaimsRequest(jsonString: json) }
  }

  @Test func `a claim requested twice is in the request once and can be removed once`() throws {
    let request = MSALClaimsRequest()
    try request.requestClaim(MSALIndividualClaimRequest(name: "email"), for: .idToken)
    try request.requestClaim(MSALIndividualClaimRequest(name: "email"), for: .idToken)
    #expect(request.jsonString() == #"{"id_token":{"email":null}}"#)
    try request.removeClaimRequest(withName: "email", target: .idToken)
    #expect(request.jsonString() == "{}")
    #expect(throws: NSError.self) {
      try request.removeClaimRequest(withName: "email", target: .idToken)
    }
  }
}
