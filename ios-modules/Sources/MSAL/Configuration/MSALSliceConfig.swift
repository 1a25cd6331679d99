public import Foundation

/// The slice of the token service to which requests are routed. It has no effect, because there is
/// a single service.
open class MSALSliceConfig: NSObject, NSCopying, @unchecked Sendable {
  open var slice: String!
  open var dc: String!

  public init?(slice: String?, dc: String?) {
    self.slice = slice
    self.dc = dc
  }

  open var sliceDictionary: [AnyHashable: Any] {
    [("slice", slice), ("dc", dc)].reduce(into: [:]) { parameters, entry in
      if let value = entry.1 { parameters[entry.0] = value }
    }
  }

  open func copy(with zone: NSZone? = nil) -> Any { MSALSliceConfig(slice: slice, dc: dc)! }
}
