internal import CMessages
internal import CProtobufC
public import Model

/// An action that a user performs in an app.
public enum UserAct: Sendable, Equatable {
  /// Taps a button of the frontmost alert.
  ///
  /// - `title`: The title that the alert must have; nil for any title.
  case tap(button: String, title: String?)
  /// Chooses an app or extension in the frontmost share sheet.
  case choose(ShareDestination)
  /// Chooses a document or a location in the frontmost document picker.
  case pick(PickedDocument)
  /// Closes the frontmost sign-in, share sheet or document picker without choosing anything.
  case cancel
  /// Leaves the app or returns to it.
  case scene(ScenePhase)
  /// Launches the app, which then opens the content that the host sent before this action.
  case launch
}

/// The app or extension that the user chooses in a share sheet. The associated value is its bundle id.
public enum ShareDestination: Sendable, Equatable {
  /// An app. It gets each shared item as a separate copy.
  case app(String)
  /// An extension. It gets all shared items together.
  case appExtension(String)

  public var bundleID: String {
    switch self {
    case .app(let bundleID), .appExtension(let bundleID): bundleID
    }
  }
}

/// The user's choice in a document picker: a document to open, or the storage location for a document to export.
public struct PickedDocument: Sendable, Equatable, DeclaredMessage {
  /// The chosen document; nil to choose the document that is stored at ``location``.
  public var item: Item?
  /// The storage location; nil for the files on the device.
  public var location: StorageLocation?
  /// The UPN or object id of the storage location's account; `""` if the account is unknown, nil if the location has no
  /// account.
  public var account: String?

  public init(_ item: Item? = nil, location: StorageLocation? = nil, account: String? = nil) {
    self.item = item
    self.location = location
    self.account = account
  }

  static var blank: PickedDocument { PickedDocument() }

  mutating func declare(in form: inout MessageForm) throws(WireError) {
    var name = location?.rawValue ?? ""
    try form.field(1, &item)
    form.field(2, &name)
    form.field(3, &account, isSetIf: 4)
    location = StorageLocation(rawValue: name)
    guard name.isEmpty || location != nil else { throw .emptyMessage }
  }
}

/// The state of an app: in the background or in the foreground. Raw values match the wire protocol.
public enum ScenePhase: UInt32, Sendable, CaseIterable {
  case background = 0
  case foreground = 1
}

// MARK: - Coding

extension UserAct {
  /// Returns the encoded action, a `UserAct` of `proto/user_act.proto`.
  public func encoded() -> [UInt8] {
    let arena = Arena()
    return [UInt8](packing: arena.encode(self, sluice__user_act__init))
  }

  /// Decodes an action from the bytes that ``encoded()`` returns.
  ///
  /// - Throws: ``WireError`` if the bytes contain no action that this version knows.
  public init(encoded bytes: [UInt8]) throws(WireError) {
    let arena = Arena()
    let allocator = arena.allocator(forFrameOf: bytes.count)
    guard let raw = sluice__user_act__unpack(allocator, bytes.count, bytes) else {
      throw .malformedMessage(length: bytes.count)
    }
    try self.init(unpacked: raw)
  }
}

extension UserAct: DeclaredMessage, DeclaredBody {
  static var blank: UserAct { .cancel }

  static func blank(_ number: UInt32) -> UserAct? {
    switch number {
    case 1: .tap(button: "", title: nil)
    case 2: .choose(.app(""))
    case 3: .pick(.blank)
    case 4: .cancel
    case 5: .scene(.background)
    case 6: .launch
    default: nil  // open: a field number; none, or one of a newer version
    }
  }

  mutating func declare(in form: inout MessageForm) throws(WireError) { try form.body(&self) }

  func declared(in form: inout MessageForm) throws(WireError) -> UserAct {
    switch self {
    case .tap(var button, var title):
      try form.enter(1)
      form.field(1, &button)
      form.field(2, &title, isSetIf: 3)
      return .tap(button: button, title: title)
    case .choose(let destination):
      var bundleID = destination.bundleID
      var isExtension = if case .appExtension = destination { true } else { false }
      try form.enter(2)
      form.field(1, &bundleID)
      form.field(2, &isExtension)
      return .choose(isExtension ? .appExtension(bundleID) : .app(bundleID))
    case .pick(let document): return .pick(try form.body(3, document))
    case .cancel:
      try form.enter(4)
      return .cancel
    case .scene(var phase):
      try form.enter(5)
      try form.field(1, &phase)
      return .scene(phase)
    case .launch:
      try form.enter(6)
      return .launch
    }
  }
}
