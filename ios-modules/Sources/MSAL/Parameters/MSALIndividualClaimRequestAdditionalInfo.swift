public import Foundation

/// Constraints on a requested claim.
open class MSALIndividualClaimRequestAdditionalInfo: NSObject, @unchecked Sendable {
  open var essential: NSNumber?
  open var value: Any?
  open var values: [Any]?

  public override init() {}

  init(json: [String: Any]) {
    essential = json["essential"] as? NSNumber
    value = json["value"]
    values = json["values"] as? [Any]
  }

  var json: [String: Any] {
    let members: [(String, Any?)] = [
      ("essential", essential), ("value", value), ("values", values),
    ]
    return members.reduce(into: [:]) { json, member in json[member.0] = member.1 }
  }
}
