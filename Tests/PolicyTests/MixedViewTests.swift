import Model
import Policy
import Testing

/// Tests views of several accounts, at least one of them managed.
struct MixedViewTests {
  /// Anna in a mixed view. Her own policy allows everything.
  private static func view(_ app: String = "app") -> Party {
    var party = Fixtures.party(app, Fixtures.anna, Fixtures.policy())
    party.lockDown()
    return party
  }

  @Test func `a party without a managed account cannot become a mixed view`() {
    var party = Fixtures.party("app", Fixtures.personal)
    party.lockDown()
    #expect(!party.isMixedView && party.policy == nil)
  }

  @Test func `the lock-down policy has the strictest value of each data protection setting`() {
    let settings = EffectivePolicy.lockDown.settings
    for setting in Setting.allCases where setting.page == .dataProtection {
      guard let strictest = setting.domain?.values.last else { continue }
      var changed = settings
      strictest(&changed)
      #expect(changed == settings, "\(setting.rawValue)")
    }
    #expect(settings.allowedOutboundDataTransferDestinations == .none)
    #expect(settings.allowedInboundDataTransferSources == .none)
    #expect(settings.allowedOutboundClipboardSharingLevel == .blocked)
    #expect(settings.allowedOutboundClipboardSharingExceptionLength == 0)
    #expect(settings.exemptedAppProtocols.isEmpty)
    #expect(settings.allowedDataStorageLocations.isEmpty)
    // The accounts' own policies decide on access and launch.
    #expect(settings.pinRequired == Settings().pinRequired)
  }

  @Test(arguments: [
    (Channel.print, "printingBlocked(sender)"), (.screenCapture, "screenCaptureBlocked(sender)"),
    (.notification, "notificationsBlocked(sender)"), (.contactSync, "contactSyncBlocked(sender)"),
    (.widget, "widgetSyncBlocked(sender)"), (.backup, "backupBlocked(sender)"),
    (.documentPickerExport, "sendNone(sender)"), (.spotlight, "systemFeatureBlocked(sender)"),
  ])
  func `printing, backup and other system channels are blocked for a mixed view`(
    channel: Channel, reason: String
  ) {
    let verdict = evaluate(Fixtures.request(channel, from: Self.view(), to: .system))
    #expect(verdict.outcome == .blocked)
    #expect(verdict.words.contains(reason), "\(verdict.words)")
  }

  @Test func `a mixed view cannot send data, not even within its app`() {
    let anna = Fixtures.party("app", Fixtures.anna, Fixtures.policy())
    let peer = Fixtures.party("peer", Fixtures.anna, Fixtures.policy())
    for receiver in [anna, peer, Self.view(), Fixtures.party("viewer", nil)] {
      let verdict = evaluate(Fixtures.request(from: Self.view(), to: receiver))
      #expect(verdict.words.first == "sendNone(sender)")
      #expect(verdict.outcome == .blocked)
    }
    let incoming = evaluate(Fixtures.request(from: peer, to: Self.view()))
    #expect(incoming.words == ["sendAllApps(sender)", "receiveNone(receiver)"])
  }

  @Test func `cut, copy and paste are blocked within the app of a mixed view`() {
    let exception = Fixtures.party(
      "app", Fixtures.anna, Fixtures.clipboard(.allApps, exception: 10))
    let inside = Fixtures.request(.clipboard, from: Self.view(), to: Self.view())
    #expect(
      evaluate(inside).words == ["clipboardBlocked(sender)", "clipboardBlocked(receiver)"])
    // The character limit of the copying account's policy does not open the view.
    let into = Fixtures.request(
      .clipboard, from: exception, to: Self.view(), content: Content(characters: 3))
    #expect(evaluate(into).words == ["clipboardAllApps(sender)", "clipboardBlocked(receiver)"])
    let outOf = Fixtures.request(
      .clipboard, from: Self.view(), to: exception, content: Content(characters: 3))
    #expect(evaluate(outOf).words == ["clipboardBlocked(sender)", "clipboardAllApps(receiver)"])
  }

  @Test func `the explanation of a mixed view's block cites the view and proposes no change`()
    throws
  {
    let request = Fixtures.request(.print, from: Self.view(), to: .system)
    let explained = Explainer.explain(request, evaluate(request))
    let reason = try #require(explained.reasons.first)
    #expect(reason.rule == .printingBlocked)
    #expect(reason.value == "Block")
    #expect(reason.source == "a view of several accounts")
    #expect(explained.changes.isEmpty)
  }
}
