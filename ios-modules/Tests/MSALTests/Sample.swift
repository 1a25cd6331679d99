import Foundation

@testable import MSAL

/// A token in the format of the device.
enum Sample {
  static let objectId = "0f8fad5b-d9cb-469f-a165-70867728950e"
  static let claims = AccessTokenClaims(
    iss: "https://login.sluice.invalid/contoso.com", sub: objectId, oid: objectId,
    tid: "contoso.com", upn: "anna@contoso.com", iat: 1000, exp: 4600)

  static let token = token(of: objectId, "anna@contoso.com")

  static func token(of objectId: String, _ upn: String) -> String {
    let payload = """
      {"iss":"https://login.sluice.invalid/contoso.com","aud":"https://graph.microsoft.com",\
      "sub":"\(objectId)","oid":"\(objectId)","tid":"contoso.com","upn":"\(upn)",\
      "appid":"com.contoso.mail","iat":1000,"nbf":1000,"exp":4600,"xms_cc":["ProtApp"]}
      """
    return "e30.\(Base64URL.text(Data(payload.utf8))).c2ln"
  }

  static func record(of upn: String = "anna@contoso.com", client: String = "client")
    -> AccountRecord
  {
    let token = AccessTokenClaims(
      iss: "", sub: upn, oid: "oid-\(upn)", tid: "contoso.com", upn: upn, iat: 1000, exp: 4600)
    return AccountRecord(
      environment: "login.microsoftonline.com", claims: IDTokenClaims(token, clientId: client))
  }
}
