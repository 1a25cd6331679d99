public import Transfer

/// What a step does.
public enum Action: Sendable, Equatable {
  /// Start, stop, or interrupt guests, one after the other.
  case lifecycle(Lifecycle)
  case signIn(AccountChange)
  case signOut(AccountChange)
  case switchIdentity(IdentitySwitch)
  case share(Share)
  /// Look at the share sheet.
  case shareSheet(ShareSheet)
  case `import`(Import)
  case use(Use)
  case copy(Copy)
  case paste(Paste)
  case openURL(OpenURL)
  case keychain(Keychain)
  case unlock(Unlock)
  case file(File)
  /// Remove an account with all its data from an app, as an administrator does from afar.
  case wipe(AccountChange)
  case configure(Configuration)
  case assignConfiguration(ConfigurationAssignment)
  /// Look up a key of an app's configuration, in the app.
  case configuration(ConfigurationLookup)
  case assign(Assignment)
  /// Give an account another UPN.
  case rename(Renaming)
  /// Take the device down and bring it up again in its folder.
  case restart
  case delegate(DelegateCall)
  case enroll(Enrollment)
  case unenroll(Unenrollment)
  case remediate(Remediation)
  case acquireToken(Token)
  /// The SDK asks by itself whether an account's policies have changed.
  case checkIn(AccountChange)
  /// Look at how far an account's enrollment has come.
  case enrollmentState(AccountChange)
  case service(ServiceChange)
  case conditionalAccess(ConditionalAccessTargeting)
  case residue(Residue)
  /// The administrator applies a folder of declarations, its path as written: relative to the scenario file; nil: none.
  case declarations(String?)
  case managedApp(ManagedApp)
  case extensionCall(ExtensionCall)
  /// Look at the device's event log, as the administrator does.
  case administratorEvents
  /// Look at who came to the server of that name since the last look; where nobody did, wait for somebody.
  case served(String)
  /// Change what conditional launch sees of the device. Apps notice when they start, resume or switch identity.
  case device(ConditionChange)
  /// Say of an account what its directory says.
  case account(AccountStatus)
  /// Let guests with programs of their own come to an end of what they do.
  case wait(Wait)
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
    /// Name of the window; `""` is the main one.
    public var window = ""
    /// Whether it is the identity of the process, and of no window.
    public var isOfProcess = false
    /// Names of further accounts that the window shows data of.
    public var others: [String] = []
  }

  /// Something done with a file of the app's container, or of that of an app group.
  public struct File: Sendable, Equatable {
    public enum Operation: Sendable, Equatable {
      /// Make the file anew, with this text.
      case write(String)
      case append(String)
      case read
      /// Ask whose it is.
      case info
      case protect(owner: IdentityReference)
      case move(to: String)
      case remove
      /// Protect the text, and keep the result in the file as it is.
      case protectData(String, owner: IdentityReference)
      case unprotectData
    }

    public var operation: Operation
    public var guest: String
    /// Relative to the container.
    public var path: String
    /// nil: the app's own container.
    public var group: String?
  }

  /// The app's configuration from now on, all of it.
  public struct Configuration: Sendable, Equatable {
    public var guest: String
    public var entries: [String: String]
  }

  /// The app configurations of an account from now on, all of them.
  public struct ConfigurationAssignment: Sendable, Equatable {
    /// Name of an account of the scenario.
    public var account: String
    /// Names of configurations of the scenario; none: the account has none.
    public var configurations: [String]
  }

  public struct ConfigurationLookup: Sendable, Equatable {
    public var guest: String
    /// Name of an account of the scenario.
    public var account: String
    public var key: String
    public var type: ConfigurationQuestion.ValueType
    public var query: ConfigurationQuestion.Query
  }

  /// The policies of an account from now on, all of them.
  public struct Assignment: Sendable, Equatable {
    /// Name of an account of the scenario.
    public var account: String
    /// Names of policies of the scenario; none: the account is unmanaged.
    public var policies: [String]
  }

  public struct Renaming: Sendable, Equatable {
    /// Name of an account of the scenario.
    public var account: String
    public var upn: String
  }

  /// What the SDK asks of an app by itself.
  public struct DelegateCall: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
      case add, block
    }

    public var guest: String
    public var kind: Kind
    /// Name of an account of the scenario.
    public var account: String
  }

  /// A search for what is left of an account.
  public struct Residue: Sendable, Equatable {
    /// Name of an account of the scenario.
    public var account: String
    /// Texts that must be nowhere, beside the account's names.
    public var canaries: [String]
    /// Names of the guests whose stores are searched; empty: all of the device.
    public var guests: [String]
  }

  public struct Share: Sendable, Equatable {
    /// Name of the sending guest, or of an app for all its guests at once.
    public var from: String
    /// Name of a guest, or a bundle id.
    public var to: String
    public var content: Content
    public var via: SharingPath
    /// `share`, `openIn` or `dragAndDrop`.
    public var channel: Channel

    public enum Content: Sendable, Equatable {
      case item(Item)
      /// What an extension may load of: items with attachments in several representations.
      case offer([OfferedItem])
    }
  }

  /// Data for, or from, the system, a storage location, or another app's contacts.
  public struct Use: Sendable, Equatable {
    public var guest: String
    public var channel: Channel
    /// nil but for `saveTo` and `openFrom`.
    public var location: StorageLocation?
    /// The location's account.
    public var account: IdentityReference
    /// nil: only ask whether it may be.
    public var item: Item?
    /// Whether a web view's page is none of the account's own.
    public var isExternalPage: Bool
    /// Name of the guest whose contacts are read, or a bundle id; nil on other channels.
    public var source: String?
    /// Name of the extension that is to have the item, or a bundle id; nil: none.
    public var extensionID: String?

    init(
      guest: String, channel: Channel, location: StorageLocation? = nil,
      account: IdentityReference = .unset, item: Item? = nil, isExternalPage: Bool = false,
      source: String? = nil
    ) {
      self.guest = guest
      self.channel = channel
      self.location = location
      self.account = account
      self.item = item
      self.isExternalPage = isExternalPage
      self.source = source
    }
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

  /// What the user offers an app that is locked.
  public struct Unlock: Sendable, Equatable {
    public var guest: String
    /// nil: none.
    public var pin: String?
    public var hasBiometrics: Bool
    /// Work or school account credentials.
    public var hasCredentials: Bool
    /// Whether `pin` is chosen as the new one.
    public var setsPIN: Bool
    /// Whether the user gives up.
    public var isCancelled = false
  }

  public struct AccountStatus: Sendable, Equatable {
    /// Name of an account of the scenario.
    public var account: String
    /// nil leaves it as it is.
    public var isDisabled: Bool?
    /// nil leaves it as it is.
    public var isClockedOut: Bool?
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
