public import Foundation

/// The methods of key-value coding that apps call on `UserDefaults`, because Foundation on Linux has none.
extension UserDefaults {
  public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

  public func value(forKey key: String) -> Any? { object(forKey: key) }
}
