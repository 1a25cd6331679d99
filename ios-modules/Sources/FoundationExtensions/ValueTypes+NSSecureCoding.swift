public import Foundation

// On iOS, values of these types are bridged to `NSSecureCoding`. On Linux, only a dynamic `as?`
// bridges them, and the compiler warns that such a cast always fails. These conformances avoid the
// warning. Item providers only forward the values and never encode them.

extension URL: @retroactive NSCoding {
  public func encode(with coder: NSCoder) { NSURL(string: absoluteString)?.encode(with: coder) }
  public init?(coder: NSCoder) { return nil }
}
extension URL: @retroactive NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
}

extension String: @retroactive NSCoding {
  public func encode(with coder: NSCoder) { NSString(string: self).encode(with: coder) }
  public init?(coder: NSCoder) { return nil }
}
extension String: @retroactive NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
}

extension Data: @retroactive NSCoding {
  public func encode(with coder: NSCoder) { NSData(data: self).encode(with: coder) }
  public init?(coder: NSCoder) { return nil }
}
extension Data: @retroactive NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
}

extension Dictionary: @retroactive NSCoding {
  public func encode(with coder: NSCoder) {}
  public init?(coder: NSCoder) { return nil }
}
extension Dictionary: @retroactive NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
}
