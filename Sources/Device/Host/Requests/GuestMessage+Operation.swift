internal import Model
internal import Wire

extension GuestMessage.Body {
  /// The operation that the message asks for, where a locked guest may not have it; nil where it may.
  var lockedOperation: Operation? {
    switch self {
    case .share(let share): Operation(share.way.channel)
    case .shareItems: .share
    case .loadItem: .loadItem
    case .import: .import
    case .copy: .copy
    case .paste: .paste
    case .openURL: .openURL
    case .use(let use) where use.channel == SystemHandOff.extensionCall: .extensionCall
    case .use(let use) where use.channel == SystemHandOff.airDrop: .airDrop
    case .use(let use) where use.channel == SystemHandOff.openReceived: .openReceived
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
      .identitySwitchAnswer, .delegateAnswer, .performed, .log, .failed, .release:
      nil
    }
  }
}

extension GuestMessage.Body {
  /// The operation that the message asks for, where it reaches others; nil where it concerns only what the guest has.
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
  /// The kind of the task, which decides whose identity counts.
  var taskKind: TaskKind {
    switch self {
    case .openFile, .moveFile, .removeFile: .file
    default: .interface
    }
  }
}
