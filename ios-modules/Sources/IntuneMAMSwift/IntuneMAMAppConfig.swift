public import Foundation

/// An app's configuration for an account. A tenant's default counts for a key only where nothing is targeted.
public protocol IntuneMAMAppConfig: NSObjectProtocol {
  /// One dictionary for each configuration; a true `__IsDefault` is in that of the tenant's default.
  var fullData: [[AnyHashable: Any]]? { get }
  /// Whether two targeted values for the key differ.
  func hasConflict(_ key: String) -> Bool
  func boolValue(forKey key: String, queryType: IntuneMAMBoolQueryType) -> NSNumber?
  func numberValue(forKey key: String, queryType: IntuneMAMNumberQueryType) -> NSNumber?
  func stringValue(forKey key: String, queryType: IntuneMAMStringQueryType) -> String?
  func allBools(forKey key: String) -> [NSNumber]?
  func allNumbers(forKey key: String) -> [NSNumber]?
  func allStrings(forKey key: String) -> [String]?
}

/// How a conflict between booleans is settled.
public enum IntuneMAMBoolQueryType: UInt, Sendable {
  case any
  case or
  case and
}

/// How a conflict between numbers is settled.
public enum IntuneMAMNumberQueryType: UInt, Sendable {
  case any
  case min
  case max
}

/// How a conflict between texts is settled.
public enum IntuneMAMStringQueryType: UInt, Sendable {
  case any
  case min
  case max
}
