public import Model

/// A message from a guest to its host.
public struct GuestMessage: Sendable, Equatable {
  /// The number of the request, greater than any before on the connection; 0 where nothing is asked for.
  public var request: UInt64
  public var body: Body
  /// The identity that the task acts for; nil for the one that the guest acts for.
  public var task: TaskContext?
  /// Numbers of the items that what the request moves was made of, as far as the guest knows; 64 at most.
  public var sources: [UInt64]

  /// A message of `body`.
  public init(
    request: UInt64 = 0, _ body: Body, task: TaskContext? = nil, from sources: [UInt64] = []
  ) {
    self.request = request
    self.body = body
    self.task = task
    self.sources = sources
  }

  /// The content of a message.
  public enum Body: Sendable, Equatable {
    case hello(Hello)
    /// Every delivery up to and including this number has arrived.
    case acknowledge(through: UInt64)
    case share(Share)
    case `import`(source: String, via: SharingPath)
    case copy(Item, CopyScope = .everywhere)
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
    /// `account` is a UPN or an object id; `""` is the unknown account.
    case protectData(account: String)
    case unprotectData(header: [UInt8])
    case shareItems(ShareItems)
    case loadItem(RepresentationReference)
    /// The load of that number is no longer wanted.
    case cancelLoad(UInt64)
    /// `fraction` is 0 to 1.
    case provideProgress(ask: UInt64, fraction: Double)
    case completeExtension([Item])
    case cancelExtension(why: String)
    case provided(ask: UInt64, Item?)
    case identitySwitchAnswer(ask: UInt64, isSuccess: Bool)
    case delegateAnswer(ask: UInt64, isSuccess: Bool)
    /// `failure` is nil where the guest could try the step; `found` is the content that it read.
    case performed(ask: UInt64, failure: String?, found: [UInt8] = [])
    /// A request about what the administrator provides for this app.
    case managedApp(ManagedAppRequest)
    case log(String)
    /// The payload at that offset of the guest's inbox has been read, and may be written over.
    case release(offset: Int)
    /// The guest cannot go on; sent in place of ``hello(_:)``, it cannot begin.
    case failed(why: String)
  }
}

/// The guest's part of the handshake.
public struct Hello: Sendable, Equatable {
  public var transport: UInt32
  public var application: UInt32
  /// The bundle id that the guest claims for itself; `""` for no claim.
  public var claimedApp: String
  /// Whether the guest may be lent memory: it takes the descriptors that come with messages.
  public var takesMemory: Bool

  /// A greeting with the versions that the guest speaks.
  public init(
    transport: UInt32 = ProtocolVersion.transport,
    application: UInt32 = ProtocolVersion.application, claimedApp: String = "",
    takesMemory: Bool = false
  ) {
    self.takesMemory = takesMemory
    self.transport = transport
    self.application = application
    self.claimedApp = claimedApp
  }
}

/// An item offered to another guest.
public struct Share: Sendable, Equatable {
  /// The destination's guest name or bundle id.
  public var destination: String
  public var item: Item
  public var via: SharingPath
  public var way: Way
  /// The app that the sender claims as the source; `""` for no claim.
  public var claimedSource: String
  /// Whether the sender wants an answer only in case of failure.
  public var isPosted: Bool

  /// An offer of `item` to `destination`.
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

/// A URL to be opened by the app that is responsible for it.
public struct OpenURL: Sendable, Equatable {
  public var url: String
  /// Whether the app knows the scheme to be a managed app's.
  public var isKnownManagedScheme: Bool
  /// Whether this is only a question if the URL may be opened.
  public var isQuestion: Bool

  /// A request to open `url`.
  public init(_ url: String, isKnownManagedScheme: Bool = false, isQuestion: Bool = false) {
    self.url = url
    self.isKnownManagedScheme = isKnownManagedScheme
    self.isQuestion = isQuestion
  }
}

/// The way in which an item changes hands. Raw values are the wire's.
public enum Way: UInt64, Sendable, CaseIterable {
  /// A copy is handed over.
  case share = 0
  /// A document is opened in the other app.
  case openIn = 1
  /// Dragged content is dropped.
  case dragAndDrop = 2

  /// The channel of the way.
  public var channel: Channel {
    switch self {
    case .share: .share
    case .openIn: .openIn
    case .dragAndDrop: .dragAndDrop
    }
  }
}

/// Where what is copied can be pasted.
public enum CopyScope: Sendable {
  /// Also on the other devices of the user's Apple Account.
  case everywhere
  /// On this device (`UIPasteboard.OptionsKey.localOnly`).
  case local
}

/// Data for, or from, the system or a storage location.
public struct SystemHandOff: Sendable, Equatable {
  /// The name of a ``Channel`` to the system or a location, `contactRead`, or the name of the operation for
  /// ``extensionCall``, ``airDrop`` and ``openReceived``.
  public var channel: String
  /// The name of a ``StorageLocation``; `""` on other channels.
  public var location: String
  /// The location's account, a UPN or an object id; `""` for an unknown one, nil for none.
  public var account: String?
  /// The item; nil for a question whether the use is allowed.
  public var item: Item?
  /// Whether a web view's page is not one of the account's own.
  public var isExternalPage: Bool
  /// The app whose contacts are read, or the ``Carrier`` of what is opened; `""` on other channels.
  public var source: String
  /// The guest name or bundle id of the extension that is to have the item; `""` for none.
  public var extensionID: String
  /// The name of the device that the user addresses it to; `""` for none.
  public var device: String
  /// The share sheet that AirDrop is chosen in: the SDK's or the system's.
  public var via: SharingPath

  /// A use of `channel`.
  public init(
    channel: String, location: String = "", account: String? = nil, item: Item? = nil,
    isExternalPage: Bool = false, source: String = "", extensionID: String = "",
    device: String = "", via: SharingPath = .sdk
  ) {
    self.extensionID = extensionID
    self.device = device
    self.via = via
    self.channel = channel
    self.location = location
    self.account = account
    self.item = item
    self.isExternalPage = isExternalPage
    self.source = source
  }
}

/// The user's answer where an account's policy asks for something before the account opens.
public struct Unlock: Sendable, Equatable {
  /// The PIN; `""` for none.
  public var pin: String
  public var hasBiometrics: Bool
  /// Whether the user gave the credentials of a work or school account.
  public var hasCredentials: Bool
  /// Whether `pin` is chosen as the new PIN.
  public var setsPIN: Bool
  /// Whether the user gives up.
  public var isCancelled: Bool

  /// An answer; without arguments, one that gives nothing.
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

/// The names of a generic-password item: access group, `kSecAttrService` and `kSecAttrAccount`.
public struct KeychainKey: Sendable, Hashable {
  /// The access group; `""` for the default group when adding, for every group when searching.
  public var group: String
  public var service: String
  public var account: String

  /// A key of the given names.
  public init(group: String = "", service: String, account: String) {
    self.group = group
    self.service = service
    self.account = account
  }
}

extension SystemHandOff {
  /// The ``channel`` of a call of an extension that no data is shared with: a VPN to connect, an identity provider
  /// to sign a user in.
  package static let extensionCall = Operation.extensionCall.rawValue
  /// The ``channel`` of an item that goes to another device by AirDrop.
  package static let airDrop = Operation.airDrop.rawValue
  /// The ``channel`` of an item that has come from another device, and is opened.
  package static let openReceived = Operation.openReceived.rawValue
}
