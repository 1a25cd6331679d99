internal import Model
internal import Wire

/// The facts about a guest's message that decide whether it is served, and for which identity.
struct MessageRow {
  /// The operation that the message asks for, where a locked guest may not have it; nil where it may.
  let lockedOperation: Operation?
  /// The operation that the message asks for, where it reaches others; nil where it concerns only what the guest has.
  let reachingOperation: Operation?
  /// The kind of the task, which decides whose identity counts.
  let taskKind: TaskKind

  /// A request that is refused while the guest is locked.
  ///
  /// - Parameter operation: nil where the message names no operation that exists.
  fileprivate static func lockable(
    _ operation: Operation?, reachesOthers: Bool = false, _ kind: TaskKind = .interface
  ) -> MessageRow {
    MessageRow(
      lockedOperation: operation, reachingOperation: reachesOthers ? operation : nil,
      taskKind: kind)
  }

  /// A message that is served although the guest is locked.
  ///
  /// - Parameter operation: nil where the message does not reach others.
  fileprivate static func free(
    reaching operation: Operation? = nil, _ kind: TaskKind = .interface
  ) -> MessageRow {
    MessageRow(lockedOperation: nil, reachingOperation: operation, taskKind: kind)
  }
}

extension GuestMessage.Body {
  /// The message's facts, stated for every message; a missing one does not compile.
  var row: MessageRow {
    switch self {
    case .share(let share): .lockable(Operation(share.way.channel), reachesOthers: true)
    case .shareItems: .lockable(.share, reachesOthers: true)
    case .import: .lockable(.import, reachesOthers: true)
    case .copy: .lockable(.copy, reachesOthers: true)
    case .paste: .lockable(.paste, reachesOthers: true)
    case .openURL: .lockable(.openURL, reachesOthers: true)
    case .use(let use): .lockable(use.operation, reachesOthers: true)
    case .keychainAdd: .lockable(.keychainAdd, reachesOthers: true)
    case .keychainQuery: .lockable(.keychainQuery, reachesOthers: true)
    case .keychainDelete: .lockable(.keychainDelete, reachesOthers: true)
    case .loadItem: .lockable(.loadItem)
    case .canReceive: .lockable(.canReceive)
    case .openFile: .lockable(.openFile, .file)
    case .moveFile: .lockable(.moveFile, .file)
    // Removing files is how an app wipes an account that is locked.
    case .removeFile: .free(.file)
    case .protectData: .lockable(.protectData)
    case .unprotectData: .lockable(.unprotectData)
    case .managedApp(let request): .free(reaching: request.operation)
    case .signIn: .free(reaching: .signIn)
    case .signOut: .free(reaching: .signOut)
    case .enroll: .free(reaching: .enroll)
    case .unenroll: .free(reaching: .unenroll)
    case .acquireToken: .free(reaching: .acquireToken)
    case .remediate: .free(reaching: .remediate)
    case .unlock, .switchIdentity, .completeExtension, .cancelExtension: .free()
    // These ask for nothing.
    case .hello, .acknowledge, .cancelLoad, .provided, .provideProgress, .identitySwitchAnswer,
      .delegateAnswer, .performed, .log, .failed, .release:
      .free()
    }
  }
}

extension SystemHandOff {
  /// The operation that the hand-off is; nil where its channel is none.
  fileprivate var operation: Operation? {
    switch channel {
    case SystemHandOff.extensionCall: .extensionCall
    case SystemHandOff.airDrop: .airDrop
    case SystemHandOff.openReceived: .openReceived
    default: Channel(rawValue: channel).map { Operation($0) }  // open: the name of a channel
    }
  }
}
