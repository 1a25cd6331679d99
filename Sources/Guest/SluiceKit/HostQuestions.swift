internal import Model
internal import Wire

/// Questions of the host to the app: the delegate answers, at once or in its own time, and each answer is sent back.
///
/// The app itself is a parameter: the delegate's calls name it.
final class HostQuestions {
  private let host: any HostPort
  private let delegate: any ApplicationDelegate
  /// The manager whose delegate wipes.
  private let policyManager: IntuneMAMPolicyManager
  private let appConfigManager: IntuneMAMAppConfigManager

  init(
    _ host: any HostPort, delegate: any ApplicationDelegate,
    _ policyManager: IntuneMAMPolicyManager, _ appConfigManager: IntuneMAMAppConfigManager
  ) {
    self.host = host
    self.delegate = delegate
    self.policyManager = policyManager
    self.appConfigManager = appConfigManager
  }

  /// Another app imports from this one.
  func provideItem(to requester: String, ask: UInt64, in application: Application) {
    delegate.asynchronous.application(application, itemForRequester: requester) { [host] item in
      host.send(.provided(ask: ask, item))
    }
  }

  func switchIdentity(to account: String, reason: String, ask: UInt64) {
    let reason = IntuneMAMIdentitySwitchReason(rawValue: reason) ?? .unknown
    delegate.asynchronous.identitySwitchRequired(forAccountId: account, reason: reason) { [host] in
      host.send(.identitySwitchAnswer(ask: ask, isSuccess: $0 == .success))
    }
  }

  /// The SDK needs something done about an account, or the app restarted.
  func call(_ call: DelegateCall, about account: String, ask: UInt64, in application: Application) {
    let answer = { [host] (isDone: Bool) in
      host.send(.delegateAnswer(ask: ask, isSuccess: isDone))
    }
    let asynchronous = delegate.asynchronous
    switch call {
    case .add: asynchronous.addAccountId(account) { answer($0 == .success) }
    case .block: asynchronous.blockAccountId(account) { answer($0 == .success) }
    case .restart: asynchronous.restartApplication(application, answer: answer)
    case .wipe:
      guard !asynchronous.wipeData(forAccountId: account, answer: answer) else { return }
      guard let driven = delegate as? any DrivenDelegate else {
        return wipe(account, answer: answer)
      }
      driven.finishStoring { [unowned self] in wipe(account, answer: answer) }
    }
  }

  /// Asks the policy manager's delegate; without one the SDK deletes the files.
  private func wipe(_ account: String, answer: @escaping (Bool) -> Void) {
    let delegate = policyManager.delegate
    host.work {
      delegate?.wipeData(forAccountId: account) ?? false
    } then: {
      answer($0)
    }
  }

  /// Has a delegate that takes instructions carry out a scenario's instruction.
  func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, ask: UInt64, in application: Application
  ) {
    let done = { [host] (failure: String?, found: [UInt8]) in
      host.send(.performed(ask: ask, failure: failure, found: found))
    }
    if case .look(let question) = instruction {
      return done(nil, appConfigManager.answer(question).json)
    }
    guard let instructed = delegate as? any InstructedDelegate else {
      return done("this app takes no instructions", [])
    }
    instructed.perform(instruction, behaviour, in: application, done: done)
  }
}
