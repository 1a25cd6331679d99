import Model
import Policy
import Testing

/// Tests features of the system that policies restrict: web views, keyboards and composers.
struct FunctionRulesTests {
  @Test(
    arguments: [
      (WebViewPolicy.currentIdentity, false, ["webViewOfIdentity(sender)"]),
      (.currentIdentityWithoutUpload, false, ["webViewWithoutUpload(sender)"]),
      (.unmanaged, false, ["webViewUnmanaged(sender)", "sendManagedAppsToUnmanaged(sender)"]),
      (.currentIdentity, true, ["webViewUnmanaged(sender)", "sendManagedAppsToUnmanaged(sender)"]),
      (
        .currentIdentityWithoutUpload, true,
        ["webViewUnmanaged(sender)", "sendManagedAppsToUnmanaged(sender)"]
      ),
    ])
  func `a web view is unmanaged if the app declares it unmanaged or the page is external`(
    webViews: WebViewPolicy, isExternal: Bool, words: [String]
  ) {
    var sender = Fixtures.party("app", Fixtures.anna, Fixtures.send(.managedApps))
    sender.app.webViews = webViews
    var content = Content()
    content.isExternalPage = isExternal
    let verdict = evaluate(
      Fixtures.request(.webView, from: sender, to: .system, content: content))
    #expect(verdict.words == words)
  }

  @Test func `a keyboard verdict also cites the policy of the app's other account`() {
    let own = Fixtures.policy(file: "own.json")
    let owners = Fixtures.policy(file: "owners.json")
    let others = Fixtures.policy(file: "others.json") { $0.thirdPartyKeyboardsBlocked = true }
    var request = Fixtures.request(
      .keyboard, from: Fixtures.party("app", Fixtures.bob, own), to: .system,
      owner: Owner(account: Fixtures.anna, policy: owners))
    for policy in [own, owners] {
      request.appPolicy = policy
      #expect(
        evaluate(request).words == ["keyboardsAllowed(owner)", "keyboardsAllowed(sender)"])
    }
    request.appPolicy = others
    #expect(
      evaluate(request).words == [
        "keyboardsAllowed(owner)", "keyboardsAllowed(sender)", "keyboardsBlocked(app)",
      ])
  }

  @Test func `a setting that the app's SDK ignores is a reason only with a non-default value`() {
    for (app, words) in [
      (Settings.MessagingRedirect.anyApp, ["sendAllApps(sender)"]),
      (.blocked, ["settingNotRead(sender)", "sendAllApps(sender)"]),
    ] {
      let policy = Fixtures.policy { $0.protectedMessagingRedirectAppType = app }
      var sender = Fixtures.party("app", Fixtures.anna, policy)
      sender.app.sdkVersion = Version(18, 9)
      let verdict = evaluate(Fixtures.request(.messageComposer, from: sender, to: .system))
      #expect(verdict.words == words)
    }
  }
}
