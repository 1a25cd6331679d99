internal import SluiceKit
internal import Transfer
internal import Wire

/// The ready-made guest: an app or extension that does what the host tells it, so that every request really
/// leaves a process of its own, and keeps what it gets in its container.
final class DrivenApp: DrivenDelegate {
  private var inbox = Inbox()
  private var provides: Item?
  private var acceptsIdentitySwitch = true

  func adopt(_ behaviour: Behaviour) {
    if let item = behaviour.provides { provides = item }
    if let accepts = behaviour.acceptsIdentitySwitch { acceptsIdentitySwitch = accepts }
  }

  func perform(
    _ request: GuestMessage.Body, in application: Application, done: @escaping () -> Void
  ) {
    application.request(request) { [unowned self] outcome in
      for item in outcome.items { inbox.keep(item) }
      done()
    }
  }

  func application(_ application: Application, didReceive item: ReceivedItem) {
    inbox.keep(item.item)
  }

  func application(_ application: Application, open url: String, from sender: String) {
    inbox.keep(Item(type: "public.url", payload: .inline(Array(url.utf8))))
  }

  func application(_ application: Application, itemForRequester requester: String) -> Item? {
    provides
  }

  func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason
  ) -> IntuneMAMAddIdentityResult {
    acceptsIdentitySwitch ? .success : .failed
  }

  func beginRequest(with context: ExtensionContext) {
    inbox.keep(context.inputItem.item)
    context.completeRequest(returningItems: provides.map { [$0] } ?? [])
  }
}
