internal import Model
internal import Wire

/// Requests that come from others: items, URLs, documents that the app's Open-In action has left, and what an extension
/// is to do.
///
/// The app itself is a parameter: the delegate's calls name it.
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

  /// Begins the request of this extension; the SDK itself carries out an Open-In action.
  func begin(_ request: ExtensionRequest, in application: Application) {
    let context = ExtensionContext(request, application)
    if let place = request.openIn {
      OpenInAction(context, place, host, files).run()
    } else {
      delegate.beginRequest(with: context)
    }
  }

  /// - Parameter account: the UPN of the account that opened it; `""` where none is known.
  func open(
    _ url: String, from sender: String, for account: String, in application: Application
  ) {
    policyManager.currentActivity = account.isEmpty ? nil : account
    if let handover = OpenInHandover(url) {
      take(handover, from: sender, in: application)
    } else {
      delegate.application(application, open: url, from: sender)
    }
    policyManager.currentActivity = nil
  }

  private func take(
    _ handover: OpenInHandover, from sender: String, in application: Application
  ) {
    inbox.take(handover) { [host, delegate] result in
      switch result {
      case .success(let document):
        delegate.application(application, open: document, from: sender)
      case .failure(let error):
        host.send(.log("the document cannot be opened: \(error)"))
      }
    }
  }
}
