public import Foundation

open class MSALIndividualClaimRequest: NSObject, @unchecked Sendable {
  open var name: String
  open var additionalInfo: MSALIndividualClaimRequestAdditionalInfo?

  public init(name: String) { self.name = name }

  init(name: String, json: Any) {
    self.name = name
    additionalInfo = (json as? [String: Any]).map(MSALIndividualClaimRequestAdditionalInfo.init)
  }
}
