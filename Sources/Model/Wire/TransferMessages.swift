internal import CMessages
public import Model

/// A request to send an item to another guest.
public struct Share: Sendable, Equatable, DeclaredMessage {
  /// The guest name or bundle id of the receiver.
  public var destination: String
  public var item: Item
  public var via: SharingPath
  public var way: Way
  /// The app that the sender claims to share from; `""` for no claim. The device records the claim and never trusts it.
  public var claimedSource: String
  /// Whether the sender needs a response only if the share fails.
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

  static var blank: Share { Share(destination: "", item: .blank) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &destination)
    try form.field(2, &item)
    form.field(3, &via)
    try form.field(4, &way)
    form.field(5, &claimedSource)
    form.field(6, &isPosted)
  }
}

/// A request to open a URL in the app that handles it.
public struct OpenURL: Sendable, Equatable, DeclaredMessage {
  public var url: String
  /// Whether the requesting app states that the URL's scheme belongs to a managed app.
  public var isKnownManagedScheme: Bool
  /// Whether the request only asks if the URL may be opened, without opening it.
  public var isQuestion: Bool
  /// Whether the URL may open only in an app that claims it as a universal link.
  public var isUniversalLinkOnly: Bool

  public init(
    _ url: String, isKnownManagedScheme: Bool = false, isQuestion: Bool = false,
    isUniversalLinkOnly: Bool = false
  ) {
    self.url = url
    self.isKnownManagedScheme = isKnownManagedScheme
    self.isQuestion = isQuestion
    self.isUniversalLinkOnly = isUniversalLinkOnly
  }

  static var blank: OpenURL { OpenURL("") }

  mutating func declare(in form: inout MessageForm) {
    form.field(1, &url)
    form.field(2, &isKnownManagedScheme)
    form.field(3, &isQuestion)
    form.field(4, &isUniversalLinkOnly)
  }
}

extension MessageForm {
  /// Declares a sharing path. An unknown number is decoded as the system's path, because the SDK sends only known
  /// numbers.
  mutating func field(_ number: UInt32, _ path: inout SharingPath) {
    let sdk = SLUICE__PATH__PATH_SDK.rawValue
    path = word(number, path == .sdk ? sdk : SLUICE__PATH__PATH_OS.rawValue) == sdk ? .sdk : .os
  }
}

/// The devices on which copied content can be pasted.
public enum CopyScope: Sendable {
  /// All devices of the user's Apple Account.
  case everywhere
  /// Only this device (`UIPasteboard.OptionsKey.localOnly`).
  case local
}

/// A request to give data to the system or a storage location, or to take data from there.
public struct Use: Sendable, Equatable, DeclaredMessage {
  /// The name of a ``Channel``. It must be `contactRead`, or a channel to or from the system or a storage location.
  public var channel: String
  /// The name of a ``StorageLocation``; `""` if the channel has no storage location.
  public var location: String
  /// The UPN or object id of the storage location's account; `""` if the account is unknown, nil if the location has no
  /// account.
  public var account: String?
  /// The item to move; nil to ask only whether the operation is allowed.
  public var item: Item?
  /// For `webView`, true if the page is not one of the account's own pages.
  public var isExternalPage: Bool
  /// For `contactRead`, the guest name or bundle id of the app that owns the contacts; `""` on other channels.
  public var source: String
  /// The guest name or bundle id of the receiving extension; `""` for none.
  public var extensionID: String
  /// For `mailComposer` and `messageComposer`, the name of the device to which the user addresses the message; `""` for
  /// none.
  public var device: String

  public init(
    channel: String, location: String = "", account: String? = nil, item: Item? = nil,
    isExternalPage: Bool = false, source: String = "", extensionID: String = "",
    device: String = ""
  ) {
    self.extensionID = extensionID
    self.device = device
    self.channel = channel
    self.location = location
    self.account = account
    self.item = item
    self.isExternalPage = isExternalPage
    self.source = source
  }

  static var blank: Use { Use(channel: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    form.field(1, &channel)
    form.field(2, &location)
    form.field(3, &account, isNilIf: 4)
    try form.field(5, &item)
    form.field(6, &isExternalPage)
    form.field(7, &source)
    form.field(8, &extensionID)
    form.field(9, &device)
  }
}

/// A request to send an item to another device by AirDrop.
public struct AirDrop: Sendable, Equatable, DeclaredMessage {
  /// The item to send; nil to ask only whether sending is allowed.
  public var item: Item?
  /// The name of the destination device.
  public var device: String
  /// The share sheet in which the user chooses AirDrop: the SDK's or the system's.
  public var via: SharingPath

  public init(_ item: Item?, to device: String, via: SharingPath = .sdk) {
    self.item = item
    self.device = device
    self.via = via
  }

  static var blank: AirDrop { AirDrop(nil, to: "") }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &item)
    form.field(2, &device)
    form.field(3, &via)
  }
}

/// A call of an extension through the system, not through a share sheet: a VPN connects, or an identity provider signs
/// in a user.
public struct ExtensionCall: Sendable, Equatable, DeclaredMessage {
  /// The data that the extension gets with the call.
  public var item: Item
  /// The extension's guest name or bundle id.
  public var extensionID: String

  public init(_ extensionID: String, with item: Item) {
    self.item = item
    self.extensionID = extensionID
  }

  static var blank: ExtensionCall { ExtensionCall("", with: .blank) }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    try form.field(1, &item)
    form.field(2, &extensionID)
  }
}
