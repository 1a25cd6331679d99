public import Foundation

/// An app's configuration for an account. The tenant's default applies to a key only if no targeted
/// configuration contains the key.
public protocol IntuneMAMAppConfig: NSObjectProtocol {
  /// A dictionary for each configuration. In the tenant's default, `__IsDefault` is true.
  var fullData: [[AnyHashable: Any]]? { get }
  /// Returns whether targeted configurations contain different values for the key.
  func hasConflict(_ key: String) -> Bool
  func boolValue(forKey key: String, queryType: IntuneMAMBoolQueryType) -> NSNumber?
  func numberValue(forKey key: String, queryType: IntuneMAMNumberQueryType) -> NSNumber?
  func stringValue(forKey key: String, queryType: IntuneMAMStringQueryType) -> String?
  func allBools(forKey key: String) -> [NSNumber]?
  func allNumbers(forKey key: String) -> [NSNumber]?
  func allStrings(forKey key: String) -> [String]?
}

/// The rule that selects one of several Boolean values.
public enum IntuneMAMBoolQueryType: UInt, Sendable {
  case any
  case or
  case and
}

/// The rule that selects one of several numbers.
public enum IntuneMAMNumberQueryType: UInt, Sendable {
  case any
  case min
  case max
}

/// The rule that selects one of several strings.
public enum IntuneMAMStringQueryType: UInt, Sendable {
  case any
  case min
  case max
}
