internal import CMessages
internal import CProtobufC
internal import Model
public import Wire

extension UserAct {
  /// The act as it goes over the wire, a `UserAct` of `proto/user_act.proto`.
  public func encoded() -> [UInt8] {
    let arena = Arena()
    let raw = arena.userAct(self)
    return [UInt8](unsafeUninitializedCapacity: sluice__user_act__get_packed_size(raw)) {
      $1 = sluice__user_act__pack(raw, $0.baseAddress)
    }
  }

  /// Decodes what ``encoded()`` returns.
  ///
  /// - Throws: ``WireError`` where the bytes hold no act that this version knows.
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
  /// - Throws: ``WireError`` for an act that this version does not know.
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
