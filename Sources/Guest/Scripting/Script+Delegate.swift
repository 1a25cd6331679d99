package import Model
package import SluiceKit

extension Script: ApplicationDelegate {
  package func application(_ application: Application, didReceive item: ReceivedItem) {
    let receipt = application.postponeAcknowledgement()
    whenReady { [unowned self] in run(.received, [.received(item)], receipt: receipt) }
  }

  package func application(_ application: Application, open url: String, from sender: String) {
    let account = application.policyManager.getAccountIdForCurrentActivity()
    let receipt = application.postponeAcknowledgement()
    whenReady { [unowned self] in
      run(
        .opened, [.text(url), .text(sender), .text(orNothing: account)], receipt: receipt)
    }
  }

  package func application(
    _ application: Application, open document: OpenedDocument, from sender: String
  ) {
    let receipt = application.postponeAcknowledgement()
    let fields: [String: ScriptValue] = [
      "path": .text(document.path), "name": .text(document.name), "type": .text(document.type),
      "sender": .text(sender),
    ]
    whenReady { [unowned self] in run(.openedDocument, [.record(fields)], receipt: receipt) }
  }

  package func beginRequest(with context: ExtensionContext) {
    request = .open(context)
    let waiting = awaiting
    awaiting = []
    for body in waiting { body() }
    whenReady { [unowned self] in
      // The file may have ended it.
      guard case .open = request else { return }
      if handles(.shareRequested) {
        run(.shareRequested, [.list(context.inputItems.map(ScriptValue.offered))], of: context)
      } else if handles(.shareLoaded) {
        load(context.attachments[...], of: context, [])
      } else {
        request.take()?.cancelRequest(withError: "the script has no `share.loaded`")
      }
    }
  }

  /// Loads each attachment in its first representation, and calls the script with those that could be loaded.
  private func load(
    _ attachments: ArraySlice<ItemProvider>, of context: ExtensionContext, _ loaded: [ScriptValue]
  ) {
    guard let attachment = attachments.first,
      let type = attachment.registeredTypeIdentifiers.first
    else { return run(.shareLoaded, loaded, of: context) }
    attachment.loadItem(forTypeIdentifier: type) { [unowned self] result in
      switch result {
      case .success(let item):
        load(attachments.dropFirst(), of: context, loaded + [.received(item)])
      case .failure(let error) where attachments.count == 1 && loaded.isEmpty:
        request.take()?.cancelRequest(withError: error.description)
      case .failure: load(attachments.dropFirst(), of: context, loaded)
      }
    }
  }

  private func run(_ event: ScriptEvent, _ values: [ScriptValue], of context: ExtensionContext) {
    guard case .open = request else { return }
    run(event, values) { [unowned self] _ in
      guard case .open = request else { return }
      context.application.log("the request is neither completed nor cancelled")
    }
  }

  package func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {
    whenReady { [unowned self] in
      run(.notified, [.text(notification.rawValue), .text(orNothing: accountId)])
    }
  }
}

extension Script: IntuneMAMEnrollmentDelegate {
  package func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    tell("enrollment", status)
  }

  package func policyRequest(with status: IntuneMAMEnrollmentStatus) { tell("policy", status) }

  package func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    tell("unenrollment", status)
  }

  private func tell(_ request: String, _ status: IntuneMAMEnrollmentStatus) {
    whenReady { [unowned self] in
      run(
        .enrollmentStatus,
        [
          .text(request), .text(status.identity), .integer(Int64(status.statusCode.rawValue)),
          .text(status.statusCode.name),
        ])
    }
  }
}

extension Script: IntuneMAMComplianceDelegate {
  package func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) {
    whenReady { [unowned self] in
      run(
        .complianceStatus,
        [.text(accountId), .text(status.name), .text(errTitle), .text(errMsg)])
    }
  }
}

extension Script {
  package func application(
    _ application: Application, managedAppDidChange aspect: ManagedAspect
  ) {
    whenReady { [unowned self] in run(.managedChanged, [.text(aspect.name)]) }
  }
}

extension Script: AsyncDelegate {
  package func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void
  ) {
    whenReady { [unowned self] in
      run(.provides, [.text(requester)]) { [unowned self] value in answer(provided(value)) }
    }
  }

  /// A callback's return value as an item. An error has no line of the script any more.
  private func provided(_ value: ScriptValue) -> Item? {
    do throws(ScriptMisuse) {
      return try Item(value)
    } catch {
      application?.log("nothing is provided: \(error.description)")
      return nil
    }
  }

  package func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.identitySwitchRequired, [.text(accountId), .text(reason.rawValue)], answer)
  }

  package func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.addAccount, [.text(accountId)], answer)
  }

  package func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.blockAccount, [.text(accountId)], answer)
  }

  package func restartApplication(
    _ application: Application, answer: @escaping (Bool) -> Void
  ) {
    whenReady { [unowned self] in run(.restartApplication, []) { answer($0.isTrue) } }
  }

  private func decide(
    _ event: ScriptEvent, _ arguments: [ScriptValue],
    _ answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    whenReady { [unowned self] in
      run(event, arguments) { answer($0.isTrue ? .success : .failed) }
    }
  }

  package func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool {
    whenReady { [unowned self] in run(.wipe, [.text(accountId)]) { answer($0.isTrue) } }
    return true
  }

  package func clockDidAdvance(in application: Application) { machine.setTime(application.now) }
}
