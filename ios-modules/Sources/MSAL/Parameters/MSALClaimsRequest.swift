public import Foundation

/// A request for claims (OpenID Connect Core, section 5.5). Here it can be made and read; the device's tokens have the
/// claims that they have.
open class MSALClaimsRequest: NSObject, @unchecked Sendable {
  private var requests: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]

  public override init() {}

  /// Reads `{"access_token": {"name": null}, "id_token": {…}}`.
  ///
  /// - Throws: an `NSError` where `jsonString` is no object of objects.
  public init(jsonString: String) throws {
    super.init()
    guard let json = try? JSONSerialization.jsonObject(with: Data(jsonString.utf8)),
      let targets = json as? [String: [String: Any]]
    else { throw Failure.invalidParameter("the claims request is no object of objects").nsError }
    for target in MSALClaimsRequestTarget.allCases {
      requests[target] = targets[target.name]?.sorted { $0.key < $1.key }.map {
        MSALIndividualClaimRequest(name: $0.key, json: $0.value)
      }
    }
  }

  /// Asks for a claim, instead of what has been asked of it before.
  ///
  /// - Throws: an `NSError` where the claim has no name.
  open func requestClaim(
    _ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget
  ) throws {
    guard nonEmpty(request.name) != nil else {
      throw Failure.invalidParameter("a claim request needs a name").nsError
    }
    requests[target, default: []].removeAll { $0.name == request.name }
    requests[target, default: []].append(request)
  }

  /// - Throws: an `NSError` where the claim has not been asked for.
  open func removeClaimRequest(withName name: String, target: MSALClaimsRequestTarget) throws {
    guard let index = requests[target]?.firstIndex(where: { $0.name == name }) else {
      throw Failure.invalidParameter("the claim `\(name)` has not been asked for").nsError
    }
    requests[target]?.remove(at: index)
  }

  open func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
    requests[target] ?? []
  }

  /// The request as the service gets it; nil: a value is none of JSON's.
  open func jsonString() -> String? {
    let targets = requests.filter { !$0.value.isEmpty }.map { target, claims in
      let members = claims.map { ($0.name, $0.additionalInfo?.json ?? NSNull()) as (String, Any) }
      return (target.name, Dictionary(members) { $1 })
    }
    let object = Dictionary(targets) { $1 }
    guard JSONSerialization.isValidJSONObject(object),
      let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}
