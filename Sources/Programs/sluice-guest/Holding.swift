internal import SluiceKit
internal import Wire

/// What the app got last, delivered, as an answer, or from a file, and may hand on.
struct Holding {
  private let item: Item
  /// The numbers of the items that the content is, or was read from.
  private let sources: [UInt64]

  init(_ item: Item) {
    self.item = item
    sources = item.tag.map { [$0.sequence] } ?? []
  }

  /// The content of a file, which the device knows as the item `number`.
  init(_ content: [UInt8], readAs number: UInt64) {
    item = Item(type: Item.plainText, payload: .inline(content))
    sources = number == 0 ? [] : [number]
  }

  /// A request with what it moves, and the numbers of the items that this was made of.
  struct Moving {
    var body: GuestMessage.Body
    var sources: [UInt64]
  }

  /// The item as it came, or as if the user had typed it in.
  func handedOn(_ content: InstructedContent) -> Item {
    var item = item
    if content == .retyped { item.tag = nil }
    return item
  }

  /// The request that moves this instead of what it states; nil where it moves no item.
  func moved(by body: GuestMessage.Body, _ content: InstructedContent) -> Moving? {
    let item = handedOn(content)
    guard let moving = body.moving(item) else { return nil }
    // The tag says where an item came from, and what is typed in says nothing.
    let isKnown = item.tag != nil || content == .retyped
    return Moving(body: moving, sources: isKnown ? [] : sources)
  }

  /// Work on a file with the content that it writes, and the numbers of the items that this was made of.
  func written(by work: FileWork, _ content: InstructedContent) -> (FileWork, [UInt64]) {
    var work = work
    work.content = item.bytes
    return (work, content == .retyped ? [] : sources)
  }
}

extension GuestMessage.Body {
  /// The request with `item` in place of its own; nil where it moves none.
  fileprivate func moving(_ item: Item) -> GuestMessage.Body? {
    switch self {
    case .share(var share):
      share.item = item
      return .share(share)
    case .copy(_, let scope): return .copy(item, scope)
    case .use(var use):
      use.item = item
      return .use(use)
    case .hello, .acknowledge, .import, .canReceive, .unlock, .paste, .openURL, .keychainAdd,
      .keychainQuery, .keychainDelete, .signIn, .signOut, .enroll, .unenroll, .acquireToken,
      .remediate, .switchIdentity, .openFile, .moveFile, .removeFile, .protectData, .unprotectData,
      .shareItems, .loadItem, .cancelLoad, .provideProgress, .completeExtension, .cancelExtension,
      .provided, .identitySwitchAnswer, .delegateAnswer, .performed, .managedApp, .log, .release,
      .failed:
      return nil
    }
  }
}
