/// The token that should contain a claim.
public enum MSALClaimsRequestTarget: UInt, Sendable, CaseIterable {
  case idToken
  case accessToken

  var name: String {
    switch self {
    case .idToken: "id_token"
    case .accessToken: "access_token"
    }
  }
}
