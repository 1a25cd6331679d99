public import Transfer

/// What a guest says to its host.
public struct GuestMessage: Sendable, Equatable {
  /// Greater than any before on the connection; 0 where nothing is asked for.
  public var request: UInt64
  public var body: Body

  public init(request: UInt64 = 0, _ body: Body) {
    self.request = request
    self.body = body
  }

  public enum Body: Sendable, Equatable {
    case hello(Hello)
    /// Every delivery up to and including this number has arrived.
    case acknowledge(through: UInt64)
    case share(Share)
    case `import`(source: String, via: SharingPath)
    case copy(Item)
    case paste
    case openURL(String, isKnownManagedScheme: Bool)
    case keychainAdd(KeychainKey, value: [UInt8])
    case keychainQuery(KeychainKey)
    case keychainDelete(KeychainKey)
    case signIn(account: String)
    case signOut(account: String)
    /// nil unsets the identity, `""` is the unknown account.
    case switchIdentity(account: String?)
    case completeExtension([Item])
    case cancelExtension(why: String)
    case provided(ask: UInt64, Item?)
    case identitySwitchAnswer(ask: UInt64, isSuccess: Bool)
    /// `failure` is nil where the guest could try what it was told.
    case performed(ask: UInt64, failure: String?)
    case log(String)
  }
}

/// The guest's part of the handshake.
public struct Hello: Sendable, Equatable {
  public var transport: UInt32
  public var application: UInt32
  /// Whom the guest believes to be; `""` for no opinion.
  public var claimedApp: String

  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, claimedApp: String = ""
  ) {
    self.transport = transport
    self.application = application
    self.claimedApp = claimedApp
  }
}

/// An item offered to another guest.
public struct Share: Sendable, Equatable {
  /// Guest name or bundle id.
  public var destination: String
  public var item: Item
  public var via: SharingPath
  public var opensIn: Bool
  /// `""` for no claim.
  public var claimedSource: String
  /// Whether the sender wants to hear only of failure.
  public var isPosted: Bool

  public init(
    destination: String, item: Item, via: SharingPath = .sdk, opensIn: Bool = false,
    claimedSource: String = "", isPosted: Bool = false
  ) {
    self.destination = destination
    self.item = item
    self.via = via
    self.opensIn = opensIn
    self.claimedSource = claimedSource
    self.isPosted = isPosted
  }
}

/// What names a generic-password item: access group, `kSecAttrService` and `kSecAttrAccount`.
public struct KeychainKey: Sendable, Hashable {
  /// `""`: the default group when adding, every group when searching.
  public var group: String
  public var service: String
  public var account: String

  public init(group: String = "", service: String, account: String) {
    self.group = group
    self.service = service
    self.account = account
  }
}
