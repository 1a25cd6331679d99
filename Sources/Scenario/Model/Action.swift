public import Transfer

/// What a step does.
public enum Action: Sendable, Equatable {
  /// Start, stop, or interrupt guests, one after the other.
  case lifecycle(Lifecycle)
  case signIn(AccountChange)
  case signOut(AccountChange)
  case switchIdentity(IdentitySwitch)
  case share(Share)
  case `import`(Import)
  case copy(Copy)
  case paste(Paste)
  case openURL(OpenURL)
  case keychain(Keychain)
  /// Let the device's virtual clock run on by so many seconds, at least 1.
  case advance(seconds: Int)
  /// Start all of these before any ends. At least one, and none is `concurrently` itself or
  /// has a count.
  case concurrently([Step])

  public struct Lifecycle: Sendable, Equatable {
    public var change: LifecycleChange
    /// Names of guests, at least one.
    public var guests: [String]
  }

  public struct AccountChange: Sendable, Equatable {
    public var guest: String
    /// Name of an account of the scenario.
    public var account: String
  }

  public struct IdentitySwitch: Sendable, Equatable {
    public var guest: String
    public var identity: IdentityReference
  }

  public struct Share: Sendable, Equatable {
    /// Name of the sending guest, or of an app for all its guests at once.
    public var from: String
    /// Name of a guest, or a bundle id.
    public var to: String
    public var item: Item
    public var via: SharingPath
    /// Open a document there rather than hand over a copy.
    public var isOpenIn: Bool
  }

  public struct Import: Sendable, Equatable {
    /// Name of the guest that asks.
    public var into: String
    /// Name of the guest that is asked, or a bundle id.
    public var from: String
    public var via: SharingPath
  }

  public struct Copy: Sendable, Equatable {
    public var guest: String
    public var item: Item
  }

  public struct Paste: Sendable, Equatable {
    public var guest: String
  }

  public struct OpenURL: Sendable, Equatable {
    /// Name of the guest that opens the URL.
    public var from: String
    public var url: String
    /// Whether the app says that it knows the scheme to be a managed app's.
    public var isKnownManagedScheme: Bool
  }

  public struct Keychain: Sendable, Equatable {
    public enum Operation: String, Sendable, CaseIterable {
      case add, query, delete
    }

    public var operation: Operation
    public var guest: String
    /// nil: the default group for adding, every group for the rest.
    public var group: String?
    public var service: String
    public var account: String
    /// nil but for adding.
    public var value: String?
  }
}
