public import Model

/// What a guest says to its host.
public struct GuestMessage: Sendable, Equatable {
  /// Greater than any before on the connection; 0 where nothing is asked for.
  public var request: UInt64
  public var body: Body
  /// For whom the task asks; nil: for whom the guest acts.
  public var task: TaskContext?

  public init(request: UInt64 = 0, _ body: Body, task: TaskContext? = nil) {
    self.request = request
    self.body = body
    self.task = task
  }

  public enum Body: Sendable, Equatable {
    case hello(Hello)
    /// Every delivery up to and including this number has arrived.
    case acknowledge(through: UInt64)
    case share(Share)
    case `import`(source: String, via: SharingPath)
    case copy(Item)
    case use(SystemHandOff)
    case canReceive(Item)
    case unlock(Unlock)
    case paste
    case openURL(OpenURL)
    case keychainAdd(KeychainKey, value: [UInt8])
    case keychainQuery(KeychainKey)
    case keychainDelete(KeychainKey)
    case signIn(account: String)
    case signOut(account: String)
    case enroll(Enroll)
    case unenroll(account: String, wipes: Bool)
    case acquireToken(AcquireToken)
    case remediate(account: String, isSilent: Bool)
    case switchIdentity(SwitchIdentity)
    case openFile(OpenFile)
    case moveFile(FileReference, to: FileReference)
    case removeFile(FileReference)
    /// `""` is the unknown account.
    case protectData(account: String)
    case unprotectData(header: [UInt8])
    case shareItems(ShareItems)
    case loadItem(RepresentationReference)
    /// The load of that number is no longer wanted.
    case cancelLoad(UInt64)
    /// 0 to 1.
    case provideProgress(ask: UInt64, fraction: Double)
    case completeExtension([Item])
    case cancelExtension(why: String)
    case provided(ask: UInt64, Item?)
    case identitySwitchAnswer(ask: UInt64, isSuccess: Bool)
    case delegateAnswer(ask: UInt64, isSuccess: Bool)
    /// `failure` is nil where the guest could try what it was told; `found` is what it read.
    case performed(ask: UInt64, failure: String?, found: [UInt8] = [])
    /// What the administrator provides for this app.
    case managedApp(ManagedAppRequest)
    case log(String)
    /// The guest cannot go on; in place of ``hello(_:)`` it cannot begin.
    case failed(why: String)
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
  public var way: Way
  /// `""` for no claim.
  public var claimedSource: String
  /// Whether the sender wants to hear only of failure.
  public var isPosted: Bool

  public init(
    destination: String, item: Item, via: SharingPath = .sdk, way: Way = .share,
    claimedSource: String = "", isPosted: Bool = false
  ) {
    self.destination = destination
    self.item = item
    self.via = via
    self.way = way
    self.claimedSource = claimedSource
    self.isPosted = isPosted
  }
}

/// A URL to be opened by whichever app that is.
public struct OpenURL: Sendable, Equatable {
  public var url: String
  /// Whether the app knows the scheme to be a managed app's.
  public var isKnownManagedScheme: Bool
  /// Whether only to ask if it may be opened.
  public var isQuestion: Bool

  public init(_ url: String, isKnownManagedScheme: Bool = false, isQuestion: Bool = false) {
    self.url = url
    self.isKnownManagedScheme = isKnownManagedScheme
    self.isQuestion = isQuestion
  }
}

/// How an item changes hands. Raw values are the wire's.
public enum Way: UInt64, Sendable, CaseIterable {
  /// A copy is handed over.
  case share = 0
  /// A document is opened there.
  case openIn = 1
  /// What was dragged is dropped.
  case dragAndDrop = 2

  public var channel: Channel {
    switch self {
    case .share: .share
    case .openIn: .openIn
    case .dragAndDrop: .dragAndDrop
    }
  }
}

/// Data for, or from, the system or a storage location.
public struct SystemHandOff: Sendable, Equatable {
  /// Name of a ``Channel`` to the system or a location, or `contactRead`.
  public var channel: String
  /// Name of a ``StorageLocation``; `""` on other channels.
  public var location: String
  /// The location's account, a UPN or an object id; `""` an unknown one, nil none.
  public var account: String?
  /// nil: only ask whether it may be.
  public var item: Item?
  /// Whether a web view's page is none of the account's own.
  public var isExternalPage: Bool
  /// The app whose contacts are read; `""` on other channels.
  public var source: String
  /// Guest name or bundle id of the extension that is to have the item; `""`: none.
  public var extensionID: String

  public init(
    channel: String, location: String = "", account: String? = nil, item: Item? = nil,
    isExternalPage: Bool = false, source: String = "", extensionID: String = ""
  ) {
    self.extensionID = extensionID
    self.channel = channel
    self.location = location
    self.account = account
    self.item = item
    self.isExternalPage = isExternalPage
    self.source = source
  }
}

/// What the user offers where an account's policy asks for it before the account opens.
public struct Unlock: Sendable, Equatable {
  /// `""` for none.
  public var pin: String
  public var hasBiometrics: Bool
  /// Work or school account credentials.
  public var hasCredentials: Bool
  /// Whether `pin` is chosen as the new one.
  public var setsPIN: Bool
  /// Whether the user gives up.
  public var isCancelled: Bool

  public init(
    pin: String = "", hasBiometrics: Bool = false, hasCredentials: Bool = false,
    setsPIN: Bool = false, isCancelled: Bool = false
  ) {
    self.isCancelled = isCancelled
    self.pin = pin
    self.hasBiometrics = hasBiometrics
    self.hasCredentials = hasCredentials
    self.setsPIN = setsPIN
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

extension SystemHandOff {
  /// The ``channel`` of a call of an extension that no data is shared with: a VPN to connect, an identity provider to sign
  /// somebody in.
  package static let extensionCall = Operation.extensionCall.rawValue
}
