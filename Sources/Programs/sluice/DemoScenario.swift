internal import Foundation
internal import Simulation

/// The scenario of `sluice demo`.
enum DemoScenario {
  /// The scenario's text.
  ///
  /// - Parameter policy: the path of a policy; nil for the demo's own.
  /// - Throws: ``RunError`` where the policy cannot be read.
  static func text(policy: String?) throws(RunError) -> String {
    guard let policy else { return template.replacing("POLICY", with: "json: \(ownPolicy)") }
    _ = try PolicyFiles.load(policy)
    let path = URL(fileURLWithPath: policy).standardizedFileURL.path
    return template.replacing("POLICY", with: "file: \"\(path)\"")
  }

  private static let ownPolicy =
    """
    {
          "displayName": "Enterprise data protection",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedInboundDataTransferSources": "managedApps",
          "allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn",
          "allowedOutboundClipboardSharingExceptionLength": 5,
          "exemptedAppProtocols": [{ "name": "Default", "value": "skype;app-settings" }]
        }
    """

  private static let template = """
    name: One device, four apps, one policy

    accounts:
      anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e, tenant: contoso.com }
      private: { upn: anna@example.org }

    policies:
      yours:
        POLICY
        assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]

    apps:
      # An app with two accounts: the organisation's and a private one.
      mail:
        bundle: com.contoso.mail
        team: CONTOSO123
        sdk: true
        multiIdentity: true
        signedIn: [anna, private]
      notes: { bundle: com.contoso.notes, team: CONTOSO123, sdk: true, signedIn: [anna], provides: Minutes }
      viewer: { bundle: org.example.viewer, team: EXAMPLE456, provides: Holiday pictures }
      phone: { bundle: com.skype.skype, team: SKYPE78901, schemes: [skype] }

    cases:
      - name: for the organisation's account
        steps:
          - launch: [mail, notes, viewer, phone]
          - switchIdentity: { app: mail, to: anna }
          - share: { from: mail, to: notes, text: Quarterly figures }
          - share: { from: mail, to: viewer, text: Quarterly figures }
          - share: { from: mail, to: viewer, text: Quarterly figures, via: os }
          - import: { into: mail, from: notes }
          - import: { into: mail, from: viewer }
          - copy: { app: mail, text: Quarterly figures }
          - paste: { app: notes }
          - paste: { app: viewer }
          - openURL: { from: mail, url: "skype:bob" }

      - name: for the private account
        steps:
          - launch: [mail, notes, viewer]
          - switchIdentity: { app: mail, to: private }
          - share: { from: mail, to: viewer, text: Shopping list }
          - share: { from: mail, to: notes, text: Shopping list }
          - copy: { app: mail, text: Shopping list }
          - paste: { app: notes }

    """
}
