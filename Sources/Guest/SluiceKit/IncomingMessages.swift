internal import Model
internal import Wire

/// Handles incoming content: items, URLs, documents from the app's Open-In action, and extension requests.
///
/// Methods take the application as a parameter, because the delegate's methods require it.
final class IncomingRequests {
  private let host: any HostPort
  private let delegate: any ApplicationDelegate
  private let policyManager: IntuneMAMPolicyManager
  private let files: AppFiles
  private let inbox: DocumentInbox

  init(
    _ host: any HostPort, delegate: any ApplicationDelegate,
    _ policyManager: IntuneMAMPolicyManager, _ files: AppFiles
  ) {
    self.host = host
    self.delegate = delegate
    self.policyManager = policyManager
    self.files = files
    inbox = DocumentInbox(host)
  }

  func receive(_ delivery: Delivery, in application: Application) {
    delegate.application(application, didReceive: ReceivedItem(delivery))
  }

  /// Starts this extension's request. For an Open-In action, the SDK itself performs the request.
  func begin(_ request: ExtensionRequest, in application: Application) {
    let context = ExtensionContext(request, application)
    if let place = request.openIn {
      OpenInAction(context, place, host, files).run()
    } else {
      delegate.beginRequest(with: context)
    }
  }

  /// Opens a URL, or the document of an Open-In action that the URL names.
  ///
  /// - Parameter account: The UPN of the account that opened the URL; `""` if unknown.
  func open(
    _ url: String, from sender: String, for account: String, in application: Application
  ) {
    policyManager.withCurrentActivity(of: account.isEmpty ? nil : account) {
      if let handover = OpenInHandover(url) {
        accept(handover, from: sender, in: application)
      } else {
        delegate.application(application, open: url, from: sender)
      }
    }
  }

  private func accept(
    _ handover: OpenInHandover, from sender: String, in application: Application
  ) {
    inbox.accept(handover) { [host, delegate] result in
      switch result {
      case .success(let document):
        delegate.application(application, open: document, from: sender)
      case .failure(let error):
        host.send(.log("the document cannot be opened: \(error)"))
      }
    }
  }
}

/// Passes the host's questions to the delegate, and sends the answers, which may come later.
///
/// Methods take the application as a parameter, because the delegate's methods require it.
final class HostQuestions {
  private let host: any HostPort
  private let delegate: any ApplicationDelegate
  /// The manager with the delegate that wipes accounts.
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

  /// Provides an item to another app that imports from this app.
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

  /// Asks the app to add, block or wipe an account, or to restart.
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

  /// Asks the policy manager's delegate to wipe the account. Without a delegate, the SDK deletes
  /// the files.
  private func wipe(_ account: String, answer: @escaping (Bool) -> Void) {
    let delegate = policyManager.delegate
    host.work {
      delegate?.wipeData(forAccountId: account) ?? false
    } then: {
      answer($0)
    }
  }

  /// Makes an instructed delegate perform a scenario's instruction.
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
      return done("this app accepts no instructions", [])
    }
    instructed.perform(instruction, behaviour, in: application, done: done)
  }
}

/// Applies the device's changes to the object that holds the state, and then notifies the delegate.
///
/// Methods take the application as a parameter, because the delegate's methods require it.
final class DeviceUpdates {
  let delegate: any ApplicationDelegate
  private let appConfigManager: IntuneMAMAppConfigManager
  private let managedApp: ManagedAppClient
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  private(set) var now: Int

  /// Creates the updates.
  ///
  /// - Parameter now: The clock's time at launch, in seconds since 1970-01-01T00:00:00Z.
  init(
    delegate: any ApplicationDelegate, _ appConfigManager: IntuneMAMAppConfigManager,
    _ managedApp: ManagedAppClient, now: Int
  ) {
    self.delegate = delegate
    self.appConfigManager = appConfigManager
    self.managedApp = managedApp
    self.now = now
  }

  func clockDidAdvance(to time: Int, in application: Application) {
    now = time
    delegate.asynchronous.clockDidAdvance(in: application)
  }

  /// Posts a notification of the SDK. Unknown names are ignored.
  ///
  /// - Parameter account: The account's UPN; `""` if the notification does not concern a single
  ///   account.
  func post(_ name: String, about account: String, in application: Application) {
    guard let notification = IntuneMAMNotification(rawValue: name) else { return }
    delegate.application(
      application, didPost: notification, forAccountId: account.isEmpty ? nil : account)
  }

  func configurationDidChange(_ news: ConfigurationNews, in application: Application) {
    appConfigManager.adopt(news)
    guard news.isChange else { return }
    delegate.application(
      application, didPost: .appConfigDidChange, forAccountId: news.account)
  }

  func managedAppDidChange(_ aspect: ManagedAspect, in application: Application) {
    managedApp.didChange(aspect)
    delegate.application(application, managedAppDidChange: aspect)
  }
}
