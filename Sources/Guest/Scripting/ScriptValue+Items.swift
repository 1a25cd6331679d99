internal import Model
internal import SluiceKit

extension ScriptValue {
  static func item(_ item: Item) -> ScriptValue { .record(fields(of: item)) }

  static func received(_ received: ReceivedItem) -> ScriptValue {
    var fields = fields(of: received.item)
    fields["sender"] = .text(received.sender)
    fields["isEncrypted"] = .boolean(received.isEncrypted)
    fields["isForUnmanagedAccount"] = .boolean(received.isForUnmanagedAccount)
    return .record(fields)
  }

  /// An item offered to an extension, with the attachments that it may load.
  static func offered(_ item: ExtensionItem) -> ScriptValue {
    var fields: [String: ScriptValue] = [
      "attachments": .list(
        item.attachments.map { attachment in
          .record([
            "name": .text(orNothing: attachment.suggestedName),
            "types": .list(attachment.registeredTypeIdentifiers.map { .text($0) }),
          ])
        })
    ]
    if let title = item.attributedTitle { fields["title"] = .text(title) }
    if let text = item.attributedContentText { fields["text"] = .text(text) }
    return .record(fields)
  }

  private static func fields(of item: Item) -> [String: ScriptValue] {
    var fields: [String: ScriptValue] = ["type": .text(item.type)]
    if let name = item.name { fields["name"] = .text(name) }
    // A text is as good as its bytes, and not there twice.
    fields[item.text == nil ? "data" : "text"] = .bytes(item.bytes)
    if let tag = item.tag {
      fields["tag"] = .tag(tag)
      if !tag.ownerUPN.isEmpty { fields["owner"] = .text(tag.ownerUPN) }
      fields["isManaged"] = .boolean(tag.isManaged)
    }
    return fields
  }

  private static func tag(_ tag: OwnershipTag) -> ScriptValue {
    .record([
      "owner": .text(tag.ownerUPN), "objectId": .text(tag.ownerObjectID),
      "tenant": .text(tag.ownerTenantID), "isManaged": .boolean(tag.isManaged),
      "origin": .text(tag.originApp), "device": .text(tag.device),
      "sequence": .integer(Int64(bitPattern: tag.sequence)), "seal": .bytes(tag.seal),
    ])
  }

  static func outcome(_ outcome: RequestOutcome) -> ScriptValue {
    .record([
      "verdict": .text(outcome.verdict.rawValue), "ended": .text(outcome.end.rawValue),
      "isDelivered": .boolean(outcome.end == .delivered || outcome.end == .deliveredEncrypted),
      "reasons": .list(outcome.reasons.map { Self.reason($0) }),
      "status": .integer(Int64(outcome.status)),
      "items": .list(outcome.items.map { Self.item($0) }),
    ])
  }

  private static func reason(_ reason: OutcomeReason) -> ScriptValue {
    var fields: [String: ScriptValue] = ["rule": .text(reason.rule), "side": .text(reason.side)]
    if !reason.setting.isEmpty { fields["setting"] = .text(reason.setting) }
    return .record(fields)
  }

  static func owner(_ owner: FileOwner?) -> ScriptValue {
    guard let owner else { return .nothing }
    return .record([
      "account": .text(owner.accountId), "isManaged": .boolean(owner.isManaged),
    ])
  }

  static func error(_ error: ProtectedFileError) -> ScriptValue {
    .record(["code": .integer(Int64(error.code.rawValue)), "text": .text(error.description)])
  }
}

extension Item {
  /// Reads a string, or a table of `text` or `data`, `type`, `name` and `tag`; nil where the value is neither.
  ///
  /// - Throws: ``ScriptMisuse`` where `tag` is not a tag.
  init?(_ value: ScriptValue) throws(ScriptMisuse) {
    switch value {
    case .bytes(let bytes): self.init(type: Item.plainText, payload: .inline(bytes))
    case .table:
      let type = value["type"].text
      let name = value["name"].text
      let tag = try OwnershipTag(orNothing: value["tag"])
      if case .bytes(let bytes) = value["text"] {
        self.init(type: type ?? Item.plainText, name: name, payload: .inline(bytes), tag: tag)
      } else if case .bytes(let bytes) = value["data"] {
        self.init(type: type ?? "public.data", name: name, payload: .inline(bytes), tag: tag)
      } else {
        return nil
      }
    case .nothing, .boolean, .integer, .number: return nil
    }
  }

  /// The number of bytes of the item's names, as the host counts them.
  var nameLength: Int { type.utf8.count + (name?.utf8.count ?? 0) }
}

extension OwnershipTag {
  /// Reads a tag; nil where there is no value. The device finds out whether the tag is genuine.
  ///
  /// - Throws: ``ScriptMisuse`` where the value does not have the form of a tag.
  fileprivate init?(orNothing value: ScriptValue) throws(ScriptMisuse) {
    if value == .nothing { return nil }
    guard case .table(_, let fields) = value else {
      throw ScriptMisuse("bad field `tag` of an item (table expected, got \(value.kind))")
    }
    let tag = TagFields(fields: fields)
    self.init(
      ownerUPN: try tag.text("owner"), ownerObjectID: try tag.text("objectId"),
      ownerTenantID: try tag.text("tenant"), isManaged: try tag.boolean("isManaged"),
      originApp: try tag.text("origin"), device: try tag.text("device"),
      sequence: try tag.number("sequence"), seal: try tag.bytes("seal"))
  }
}

extension ScriptValue {
  init(_ number: ConfigurationNumber) {
    switch number {
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    }
  }

  init(_ value: ConfigurationValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .integer(let number): self = .integer(Int64(number))
    case .real(let number): self = .number(number)
    case .boolean(let flag): self = .boolean(flag)
    case .list(let values): self = .list(values.map(ScriptValue.init))
    case .dictionary(let values): self = .record(values.mapValues(ScriptValue.init))
    }
  }
}
