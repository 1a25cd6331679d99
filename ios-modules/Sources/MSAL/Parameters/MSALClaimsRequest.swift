public import Foundation

/// A request for claims (OpenID Connect Core, section 5.5). It can be created and read, but it does
/// not change the claims in the device's tokens.
open class MSALClaimsRequest: NSObject, @unchecked Sendable {
  private var requests: [MSALClaimsRequestTarget: [MSALIndividualClaimRequest]] = [:]

  public override init() {}

  /// Parses a text of the form `{"access_token": {"name": null}, "id_token": {…}}`.
  ///
  /// - Throws: An `NSError` if `jsonString` is not an object of objects.
  public init(jsonString: String) throws {
    super.init()
    guard let json = try? JSONSerialization.jsonObject(with: Data(jsonString.utf8)),
      let targets = json as? [String: [String: Any]]
    else {
      throw Failure.invalidParameter(
        "the claims request must be a JSON object whose values are objects"
      ).nsError
    }
    for target in MSALClaimsRequestTarget.allCases {
      requests[target] = targets[target.name]?.sorted { $0.key < $1.key }.map {
        MSALIndividualClaimRequest(name: $0.key, json: $0.value)
      }
    }
  }

  /// Requests a claim, and replaces an earlier request for it.
  ///
  /// - Throws: An `NSError` if the claim's name is empty.
  open func requestClaim(
    _ request: MSALIndividualClaimRequest, for target: MSALClaimsRequestTarget
  ) throws {
    guard nonEmpty(request.name) != nil else {
      throw Failure.invalidParameter("a claim request needs a name").nsError
    }
    requests[target, default: []].removeAll { $0.name == request.name }
    requests[target, default: []].append(request)
  }

  /// Removes the request for a claim.
  ///
  /// - Throws: An `NSError` if the claim has not been requested.
  open func removeClaimRequest(withName name: String, target: MSALClaimsRequestTarget) throws {
    guard let index = requests[target]?.firstIndex(where: { $0.name == name }) else {
      throw Failure.invalidParameter("the claim `\(name)` was not requested").nsError
    }
    requests[target]?.remove(at: index)
  }

  open func claimsRequests(for target: MSALClaimsRequestTarget) -> [MSALIndividualClaimRequest]? {
    requests[target] ?? []
  }

  /// Returns the request as JSON; nil if a value cannot be represented.
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
