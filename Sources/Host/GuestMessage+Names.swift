internal import Transfer
internal import Wire

extension GuestMessage.Body {
  /// Bytes of everything in a request that is not payload: whom and what it names.
  var nameLength: Int {
    switch self {
    case .share(let share): share.destination.utf8.count + share.item.nameLength
    case .import(let source, _): source.utf8.count
    case .copy(let item), .canReceive(let item): item.nameLength
    case .use(let use):
      use.channel.utf8.count + use.location.utf8.count + use.source.utf8.count
        + (use.account?.utf8.count ?? 0) + (use.item?.nameLength ?? 0)
    case .unlock(let unlock): unlock.pin.utf8.count
    case .openURL(let open): open.url.utf8.count
    case .keychainAdd(let key, _), .keychainQuery(let key), .keychainDelete(let key):
      key.group.utf8.count + key.service.utf8.count + key.account.utf8.count
    case .signIn(let account), .signOut(let account): account.utf8.count
    case .switchIdentity(let account): account?.utf8.count ?? 0
    case .completeExtension(let items): items.reduce(0) { $0 + $1.nameLength }
    case .cancelExtension(let why): why.utf8.count
    case .paste, .hello, .acknowledge, .provided, .identitySwitchAnswer, .performed, .log: 0
    }
  }
}

extension GuestMessage.Body {
  /// What the message asks for, where a guest that is locked may not have it; nil: it may.
  var lockedOperation: Operation? {
    switch self {
    case .share(let share): Operation(share.way.channel)
    case .import: .import
    case .copy: .copy
    case .paste: .paste
    case .openURL: .openURL
    case .use(let use): Channel(rawValue: use.channel).map { Operation($0) }
    case .canReceive: .canReceive
    case .keychainAdd: .keychainAdd
    case .keychainQuery: .keychainQuery
    case .keychainDelete: .keychainDelete
    case .unlock, .signIn, .signOut, .switchIdentity, .completeExtension, .cancelExtension,
      .hello, .acknowledge, .provided, .identitySwitchAnswer, .performed, .log:
      nil
    }
  }
}

extension Item {
  fileprivate var nameLength: Int { type.utf8.count + (name?.utf8.count ?? 0) }
}
