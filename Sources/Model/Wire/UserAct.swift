internal import CMessages
internal import CProtobufC
public import Model

/// A user action in an app.
public enum UserAct: Sendable, Equatable {
  /// Taps a button of the frontmost alert.
  ///
  /// - `title`: the alert's title; nil for any.
  case tap(button: String, title: String?)
  /// Chooses an app or extension in the frontmost share sheet.
  case choose(ShareDestination)
  /// Chooses in the frontmost document picker.
  case pick(PickedDocument)
  /// Closes the frontmost share sheet or document picker without a choice.
  case cancel
  /// Leaves the app or returns to it.
  case scene(ScenePhase)
  /// Launches the app to open content that was sent before.
  case launch
}

/// The user's choice in a share sheet, by bundle id.
public enum ShareDestination: Sendable, Equatable {
  /// An app, which receives a copy of each item.
  case app(String)
  /// An extension, which receives all items at once.
  case appExtension(String)

  public var bundleID: String {
    switch self {
    case .app(let bundleID), .appExtension(let bundleID): bundleID
    }
  }
}

/// The user's choice in a document picker: a document, or the location for an exported one.
public struct PickedDocument: Sendable, Equatable {
  /// The document; nil for the one at the location.
  public var item: Item?
  /// The storage location; nil for the device's files.
  public var location: StorageLocation?
  /// The UPN or object id of the location's account, `""` if unknown; nil for no account.
  public var account: String?

  /// Creates a choice of a document or a location.
  public init(_ item: Item? = nil, location: StorageLocation? = nil, account: String? = nil) {
    self.item = item
    self.location = location
    self.account = account
  }
}

/// Whether an app is in the foreground. Raw values match the wire protocol.
public enum ScenePhase: UInt32, Sendable, CaseIterable {
  case background = 0
  case foreground = 1
}

// MARK: - Coding

extension UserAct {
  /// Returns the encoded action, a `UserAct` of `proto/user_act.proto`.
  public func encoded() -> [UInt8] {
    let arena = Arena()
    let raw = arena.userAct(self)
    return [UInt8](unsafeUninitializedCapacity: sluice__user_act__get_packed_size(raw)) {
      $1 = sluice__user_act__pack(raw, $0.baseAddress)
    }
  }

  /// Decodes the result of ``encoded()``.
  ///
  /// - Throws: ``WireError`` if the bytes contain no action that this version knows.
  public init(encoded bytes: [UInt8]) throws(WireError) {
    let arena = Arena()
    let allocator = arena.allocator(forFrameOf: bytes.count)
    guard let raw = sluice__user_act__unpack(allocator, bytes.count, bytes) else {
      throw .malformedMessage(length: bytes.count)
    }
    try self.init(raw.pointee)
  }
}

extension Arena {
  fileprivate func userAct(_ act: UserAct) -> UnsafeMutablePointer<Sluice__UserAct> {
    message(sluice__user_act__init) { fill(&$0, act) }
  }

  private func fill(_ raw: inout Sluice__UserAct, _ act: UserAct) {
    switch act {
    case .tap(let button, let title):
      raw.act_case = SLUICE__USER_ACT__ACT_TAP
      raw.tap = message(sluice__user_act__tap__init) {
        $0.button = string(button)
        $0.title = string(title ?? "")
        $0.has_title = title == nil ? 0 : 1
      }
    case .choose(let destination):
      raw.act_case = SLUICE__USER_ACT__ACT_CHOOSE
      raw.choose = message(sluice__user_act__choose__init) {
        $0.destination = string(destination.bundleID)
        $0.is_extension = if case .appExtension = destination { 1 } else { 0 }
      }
    case .pick(let document):
      raw.act_case = SLUICE__USER_ACT__ACT_PICK
      raw.pick = pick(document)
    case .cancel:
      raw.act_case = SLUICE__USER_ACT__ACT_CANCEL
      raw.cancel = message(sluice__user_act__cancel__init)
    case .scene(let phase):
      raw.act_case = SLUICE__USER_ACT__ACT_SCENE
      raw.scene = message(sluice__user_act__scene__init) {
        $0.phase = Sluice__UserAct__Scene__Phase(rawValue: phase.rawValue)
      }
    case .launch:
      raw.act_case = SLUICE__USER_ACT__ACT_LAUNCH
      raw.launch = message(sluice__user_act__launch__init)
    }
  }

  private func pick(
    _ document: PickedDocument
  ) -> UnsafeMutablePointer<Sluice__UserAct__Pick> {
    let item = document.item.map { self.item($0) }
    return message(sluice__user_act__pick__init) {
      $0.item = item
      $0.location = string(document.location?.rawValue ?? "")
      $0.account = string(document.account ?? "")
      $0.has_account = document.account == nil ? 0 : 1
    }
  }
}

extension UserAct {
  /// - Throws: ``WireError`` for an unknown action.
  private init(_ raw: Sluice__UserAct) throws(WireError) {
    switch raw.act_case {
    case SLUICE__USER_ACT__ACT_TAP:
      let tap = raw.tap.pointee
      self = .tap(
        button: cString(tap.button), title: tap.has_title == 0 ? nil : cString(tap.title))
    case SLUICE__USER_ACT__ACT_CHOOSE:
      let choice = raw.choose.pointee
      let bundleID = cString(choice.destination)
      self = .choose(choice.is_extension == 0 ? .app(bundleID) : .appExtension(bundleID))
    case SLUICE__USER_ACT__ACT_PICK: self = .pick(try PickedDocument(raw.pick.pointee))
    case SLUICE__USER_ACT__ACT_CANCEL: self = .cancel
    case SLUICE__USER_ACT__ACT_SCENE:
      guard let phase = ScenePhase(rawValue: UInt32(raw.scene.pointee.phase.rawValue)) else {
        throw .emptyMessage
      }
      self = .scene(phase)
    case SLUICE__USER_ACT__ACT_LAUNCH: self = .launch
    default: throw .emptyMessage  // open: a C enumeration; no act, or one of a newer version
    }
  }
}

extension PickedDocument {
  fileprivate init(_ raw: Sluice__UserAct__Pick) throws(WireError) {
    let location = cString(raw.location)
    self.init(
      try raw.item.map { item throws(WireError) in try Item(item.pointee) },
      location: location.isEmpty ? nil : StorageLocation(rawValue: location),
      account: raw.has_account == 0 ? nil : cString(raw.account))
    guard location.isEmpty || self.location != nil else { throw .emptyMessage }
  }
}
