/// The criteria of an account lookup. Identifiers and user names match regardless of case.
open class MSALAccountEnumerationParameters: MSALParameters, @unchecked Sendable {
  /// The identifier in the form `<OID>.<tenant>`; nil for any identifier.
  public let identifier: String?
  /// The account's object id; nil for any object id.
  public let tenantProfileIdentifier: String?
  public let username: String?
  /// This property has no effect, because the app's cache does not keep removed accounts.
  open var returnOnlySignedInAccounts = true

  private init(identifier: String?, tenantProfileIdentifier: String?, username: String?) {
    self.identifier = identifier
    self.tenantProfileIdentifier = tenantProfileIdentifier
    self.username = username
    super.init()
  }

  /// Creates criteria that match all accounts.
  public convenience override init() {
    self.init(identifier: nil, tenantProfileIdentifier: nil, username: nil)
  }

  public convenience init(identifier: String) {
    self.init(identifier: identifier, tenantProfileIdentifier: nil, username: nil)
  }

  public convenience init(identifier: String?, username: String) {
    self.init(identifier: identifier, tenantProfileIdentifier: nil, username: username)
  }

  public convenience init(tenantProfileIdentifier: String) {
    self.init(
      identifier: nil, tenantProfileIdentifier: tenantProfileIdentifier, username: nil)
  }

  func match(_ record: AccountRecord) -> Bool {
    record.matches(
      identifier: identifier, tenantProfileIdentifier: tenantProfileIdentifier,
      username: username)
  }
}
