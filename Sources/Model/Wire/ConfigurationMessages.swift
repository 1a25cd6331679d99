internal import Model

/// The configuration of a guest's app for one account, as it is from now on.
public struct ConfigurationNews: Sendable, Hashable {
  /// UPN.
  public var account: String
  /// `""` where there is none.
  public var objectID: String
  /// ``DeliveredConfiguration/json``.
  public var dictionaries: [UInt8]
  /// Whether it has changed while the app runs.
  public var isChange: Bool

  public init(
    account: String, objectID: String = "", dictionaries: [UInt8], isChange: Bool = false
  ) {
    self.account = account
    self.objectID = objectID
    self.dictionaries = dictionaries
    self.isChange = isChange
  }
}

/// What a guest that is driven from outside has found in its configuration.
public struct ConfigurationAnswer: Sendable, Hashable {
  /// As texts.
  public var values: [String]
  /// Whether targeted values for the key differ.
  public var hasConflict: Bool

  public init(values: [String], hasConflict: Bool) {
    self.values = values
    self.hasConflict = hasConflict
  }
}
