internal import CMessages
public import Model

/// An item offered to another guest.
public struct Share: Sendable, Equatable, DeclaredMessage {
  /// The destination's guest name or bundle id.
  public var destination: String
  public var item: Item
  public var via: SharingPath
  public var way: Way
  /// The app that the sender claims as the source; `""` for no claim.
  public var claimedSource: String
  /// Whether the sender needs a response only on failure.
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

/// A URL for the app that handles it.
public struct OpenURL: Sendable, Equatable, DeclaredMessage {
  public var url: String
  /// Whether the app knows that the scheme belongs to a managed app.
  public var isKnownManagedScheme: Bool
  /// Whether the request only asks if the URL may be opened.
  public var isQuestion: Bool
  /// Whether only an app that claims the link may open it.
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
  /// Declares a path. An unknown value counts as the system's path, because the SDK never sends one.
  mutating func field(_ number: UInt32, _ path: inout SharingPath) {
    let sdk = SLUICE__PATH__PATH_SDK.rawValue
    path = word(number, path == .sdk ? sdk : SLUICE__PATH__PATH_OS.rawValue) == sdk ? .sdk : .os
  }
}

/// The devices on which copied content can be pasted.
public enum CopyScope: Sendable {
  /// All devices of the user's Apple Account.
  case everywhere
  /// This device (`UIPasteboard.OptionsKey.localOnly`).
  case local
}

/// Data for, or from, the system or a storage location.
public struct Use: Sendable, Equatable, DeclaredMessage {
  /// The name of a ``Channel`` to the system or a location, or `contactRead`.
  public var channel: String
  /// The name of a ``StorageLocation``; `""` on other channels.
  public var location: String
  /// The location's account, a UPN or an object id; `""` for an unknown account, nil for none.
  public var account: String?
  /// The item; nil to ask whether the operation is allowed.
  public var item: Item?
  /// Whether the page in the web view is not one of the account's own pages.
  public var isExternalPage: Bool
  /// For `contactRead`, the app that owns the contacts; `""` on other channels.
  public var source: String
  /// The guest name or bundle id of the receiving extension; `""` for none.
  public var extensionID: String
  /// The name of the device that a mail or message is addressed to; `""` for none.
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

/// An item for another device, sent by AirDrop.
public struct AirDrop: Sendable, Equatable, DeclaredMessage {
  /// The item; nil to ask whether the operation is allowed.
  public var item: Item?
  /// The name of the destination device.
  public var device: String
  /// The share sheet in which AirDrop is chosen: the SDK's or the system's.
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

/// A call that reaches an extension through the system, not through a share sheet: a VPN connects, or an
/// identity provider signs in a user.
public struct ExtensionCall: Sendable, Equatable, DeclaredMessage {
  /// The content of the call.
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
