internal import Model

/// The configuration of a guest's app for one account, as it is from now on.
public struct ConfigurationNews: Sendable, Hashable {
  /// The account's UPN.
  public var account: String
  /// The account's object id; `""` where there is none.
  public var objectID: String
  /// ``DeliveredConfiguration/json``.
  public var dictionaries: [UInt8]
  /// Whether the configuration has changed while the app runs.
  public var isChange: Bool

  /// News of a configuration for `account`.
  public init(
    account: String, objectID: String = "", dictionaries: [UInt8], isChange: Bool = false
  ) {
    self.account = account
    self.objectID = objectID
    self.dictionaries = dictionaries
    self.isChange = isChange
  }
}

/// The answer of a guest that is driven from outside to a question about its configuration.
public struct ConfigurationAnswer: Sendable, Hashable {
  /// The values as texts.
  public var values: [String]
  /// Whether targeted values for the key differ.
  public var hasConflict: Bool

  /// An answer of `values`.
  public init(values: [String], hasConflict: Bool) {
    self.values = values
    self.hasConflict = hasConflict
  }
}
