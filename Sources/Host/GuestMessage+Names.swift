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
        + use.extensionID.utf8.count
        + (use.account?.utf8.count ?? 0) + (use.item?.nameLength ?? 0)
    case .unlock(let unlock): unlock.pin.utf8.count
    case .openURL(let open): open.url.utf8.count
    case .keychainAdd(let key, _), .keychainQuery(let key), .keychainDelete(let key):
      key.group.utf8.count + key.service.utf8.count + key.account.utf8.count
    case .signIn(let account), .signOut(let account): account.utf8.count
    case .enroll(let enroll): enroll.account?.utf8.count ?? 0
    case .unenroll(let account, _), .remediate(let account, _): account.utf8.count
    case .acquireToken(let request):
      request.capabilities.reduce(request.account.utf8.count + request.resource.utf8.count) {
        $0 + $1.utf8.count
      }
    case .switchIdentity(let change):
      change.others.reduce(change.account?.utf8.count ?? 0) { $0 + $1.utf8.count }
        + change.level.nameLength
    case .openFile(let open): open.file.nameLength + (open.owner?.utf8.count ?? 0)
    case .moveFile(let file, let target): file.nameLength + target.nameLength
    case .removeFile(let file): file.nameLength
    case .protectData(let account): account.utf8.count
    case .unprotectData(let header): header.count
    case .shareItems(let share):
      share.items.reduce(share.destination.utf8.count) { $0 + $1.nameLength }
    case .loadItem(let reference): reference.type.utf8.count
    case .completeExtension(let items): items.reduce(0) { $0 + $1.nameLength }
    case .cancelExtension(let why): why.utf8.count
    case .managedApp(let request): request.nameLength
    case .paste, .hello, .acknowledge, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed:
      0
    }
  }
}

extension GuestMessage.Body {
  /// What the message asks for, where a guest that is locked may not have it; nil: it may.
  var lockedOperation: Operation? {
    switch self {
    case .share(let share): Operation(share.way.channel)
    case .shareItems: .share
    case .loadItem: .loadItem
    case .import: .import
    case .copy: .copy
    case .paste: .paste
    case .openURL: .openURL
    case .use(let use) where use.channel == Device.extensionCall: .extensionCall
    case .use(let use): Channel(rawValue: use.channel).map { Operation($0) }
    case .canReceive: .canReceive
    case .keychainAdd: .keychainAdd
    case .keychainQuery: .keychainQuery
    case .keychainDelete: .keychainDelete
    case .openFile: .openFile
    case .moveFile: .moveFile
    case .protectData: .protectData
    case .unprotectData: .unprotectData
    // Removing files is how an app wipes an account that is locked.
    case .unlock, .signIn, .signOut, .enroll, .unenroll, .acquireToken, .remediate,
      .switchIdentity, .removeFile, .completeExtension,
      .cancelExtension, .managedApp, .hello, .acknowledge, .cancelLoad, .provided, .provideProgress,
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed:
      nil
    }
  }
}

extension GuestMessage.Body {
  /// What the message asks for, where it is to reach others; nil where it concerns what the guest has.
  var reachingOperation: Operation? {
    switch self {
    case .share, .shareItems, .import, .copy, .paste, .openURL, .use, .keychainAdd, .keychainQuery,
      .keychainDelete:
      lockedOperation
    case .managedApp(let request): request.operation
    case .signIn: .signIn
    case .signOut: .signOut
    case .enroll: .enroll
    case .unenroll: .unenroll
    case .acquireToken: .acquireToken
    case .remediate: .remediate
    default: nil
    }
  }
}

extension GuestMessage.Body {
  /// What decides whose identity counts.
  var taskKind: TaskKind {
    switch self {
    case .openFile, .moveFile, .removeFile: .file
    default: .interface
    }
  }
}

extension TaskContext {
  /// Bytes of what it names.
  var nameLength: Int { (thread?.utf8.count ?? 0) + window.utf8.count }
}

extension IdentityLevel {
  fileprivate var nameLength: Int {
    if case .window(let name) = self { name.utf8.count } else { 0 }
  }
}

extension FileReference {
  fileprivate var nameLength: Int { path.count + group.utf8.count }
}

extension OfferedItem {
  fileprivate var nameLength: Int {
    let types = attachments.flatMap(\.registeredTypeIdentifiers)
    let names = [title] + attachments.map(\.suggestedName)
    return (types + names.compactMap(\.self)).reduce(0) { $0 + $1.utf8.count }
  }
}

extension Item {
  fileprivate var nameLength: Int { type.utf8.count + (name?.utf8.count ?? 0) }
}
