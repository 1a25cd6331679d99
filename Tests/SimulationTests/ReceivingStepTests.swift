import Scenario
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests data that a multi-identity app receives while another identity than its managed account is active.
  @Suite struct ReceivingStepTests {
    private static func device(
      _ policy: String, _ app: String, mdm: Bool = false
    ) -> String {
      """
      name: Receiving
      device:
        mdm: { enrolled: \(mdm) }
      accounts:
        anna: { upn: anna@contoso.com, tenant: contoso.com }
        private: { upn: anna@example.org }
      policies:
        base:
          json: { displayName: Base, appGroupType: allApps, \(policy) }
          assign: [{ account: anna }]
      apps:
        word: { bundle: com.contoso.word, sdk: true, multiIdentity: true, \(app) }
        mail: { bundle: com.apple.mobilemail, mdmManaged: true }
        viewer: { bundle: org.example.viewer }
      steps:
        - launch: [word, mail, viewer]

      """
    }

    private static let restricted = "allowedInboundDataTransferSources: managedApps"
    private static let incoming =
      "allowedInboundDataTransferSources: allApps, protectInboundDataFromUnknownSources: true"
    private static let named = "mdmManaged: true, configuration: { IntuneMAMUPN: anna@contoso.com"

    private static let blocked =
      "{ share: { from: viewer, to: word, text: Directions }, expect: { verdict: blocked, "
      + "decidedBy: receiveManagedAppsFromUnmanaged, end: refused, identity: anna } }"

    static let passing = [
      (
        device(restricted, "signedIn: [anna]"),
        Steps(
          "an unmanaged account must be signed in before the app can switch to it",
          "switchIdentity: { app: word, to: anna }", blocked,
          "signIn: { app: word, account: private }",
          "{ share: { from: viewer, to: word, text: Directions }, expect: { verdict: allowed, "
            + "reason: documentImport, end: delivered, identity: unknown, managed: false } }",
          "signOut: { app: word, account: private }",
          "switchIdentity: { app: word, to: anna }", blocked)
      ),
      (
        device(restricted, "signedIn: [anna], answersIdentitySwitch: success"),
        Steps(
          "an app that always answers with success has no account to switch to either",
          "switchIdentity: { app: word, to: anna }", blocked)
      ),
      (
        device(incoming, "\(named) }, signedIn: [anna, private]", mdm: true),
        Steps(
          "data without an owner becomes the enrolled user's, whichever identity is active",
          "switchIdentity: { app: word, to: private }",
          "{ share: { from: viewer, to: word, text: Directions }, expect: { verdict: allowed, "
            + "reason: incomingOrgData, end: delivered, identity: private } }",
          "{ fileInfo: { app: word, path: Inbox/1 }, expect: { owner: anna } }")
      ),
      (
        device(incoming, "\(named) }, signedIn: [private]", mdm: true),
        Steps(
          "data without an owner stays so until the enrolled user signs in",
          "{ share: { from: viewer, to: word, text: One }, expect: { verdict: allowed, decidedBy: noRuleApplied, managed: false } }",
          "{ signIn: { app: word, account: anna } }",
          "{ share: { from: viewer, to: word, text: Two }, expect: { verdict: allowed, reason: incomingOrgData } }",
          "{ fileInfo: { app: word, path: Inbox/2 }, expect: { owner: anna } }")
      ),
      (
        device(incoming, "\(named), IntuneMAMRequireAccounts: Enabled }", mdm: true),
        Steps(
          "org data waits until the required account is signed in",
          "{ share: { from: viewer, to: word, text: Private }, expect: { verdict: allowed, decidedBy: noRuleApplied } }",
          "{ share: { from: mail, to: word, text: Report }, expect: { verdict: blocked, decidedBy: workAccountRequired, end: refused } }",
          "{ signIn: { app: word, account: anna } }",
          "{ share: { from: mail, to: word, text: Report }, expect: { verdict: allowed, reason: incomingOrgData, end: delivered } }",
          "{ fileInfo: { app: word, path: Inbox/2 }, expect: { owner: anna } }")
      ),
      (
        device(
          incoming,
          "\(named), IntuneMAMRequireAccounts: Enabled }, documentTypes: [public.data]", mdm: true),
        Steps(
          "share sheets hide an app whose required account is not signed in",
          "{ shareSheet: { from: mail, items: { file: a.pdf } }, expect: { hidden: word } }",
          "{ shareSheet: { from: viewer, items: { file: a.pdf } }, expect: { shown: word } }",
          "{ signIn: { app: word, account: anna } }",
          "{ shareSheet: { from: mail, items: { file: a.pdf } }, expect: { shown: word } }")
      ),
      (
        device(incoming, "\(named), IntuneMAMRequireAccounts: Disabled }", mdm: true),
        Steps(
          "a disabled requirement restricts nothing",
          "{ share: { from: mail, to: word, text: Report }, expect: { verdict: allowed, decidedBy: noRuleApplied } }"
        )
      ),
    ]

    @Test(arguments: passing) func `received data gets the expected verdict and owner`(
      _ device: String, _ steps: Steps
    ) throws {
      expectPass(try Stage().play(text: device + steps.text))
    }

    @Test func `a received text is found even if a sign-out removed the previously received text`()
      throws
    {
      let scenario = """
        name: Removed
        accounts: { anna: { upn: anna@contoso.com } }
        policies:
          base: { json: { displayName: Base, appGroupType: allApps }, assign: [{ account: anna }] }
        apps:
          notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
          word: { bundle: com.contoso.word, sdk: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        steps:
          - launch: [notes, word, viewer]
          - { share: { from: notes, to: word, text: One }, expect: { received: One } }
          - { fileInfo: { app: word, path: Inbox/1 }, expect: { owner: anna } }
          - signOut: { app: word, account: anna }
          - { share: { from: viewer, to: word, text: Two }, expect: { received: Two } }

        """
      expectPass(try Stage().play(text: scenario))
    }
  }
}
