internal import Transfer
internal import Wire

extension GuestMessage.Body {
  /// Bytes of everything in a request that is not payload: whom and what it names.
  var nameLength: Int {
    switch self {
    case .share(let share): share.destination.utf8.count + share.item.nameLength
    case .import(let source, _): source.utf8.count
    case .copy(let item): item.nameLength
    case .openURL(let url, _): url.utf8.count
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

extension Item {
  fileprivate var nameLength: Int { type.utf8.count + (name?.utf8.count ?? 0) }
}
