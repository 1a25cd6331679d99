public import Foundation

/// Methods of key-value coding that apps call on defaults. Foundation on Linux has no key-value coding.
extension UserDefaults {
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

  public func value(forKey key: String) -> Any? { object(forKey: key) }
}
