public import Foundation

/// The configuration of the app for an account. The tenant's default is used only for keys that no
/// targeted configuration contains.
public protocol IntuneMAMAppConfig: NSObjectProtocol {
  /// The configurations, one dictionary each. The dictionary of the tenant's default contains
  /// `__IsDefault` with the value true.
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

/// The rule by which a query selects a value if configurations contain different Boolean values.
public enum IntuneMAMBoolQueryType: UInt, Sendable {
  case any
  case or
  case and
}

/// The rule by which a query selects a value if configurations contain different numbers.
public enum IntuneMAMNumberQueryType: UInt, Sendable {
  case any
  case min
  case max
}

/// The rule by which a query selects a value if configurations contain different strings.
public enum IntuneMAMStringQueryType: UInt, Sendable {
  case any
  case min
  case max
}
