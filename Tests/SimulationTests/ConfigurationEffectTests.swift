import Scenario
import SimulationSupport
import TestSupport
import Testing

extension RealProcesses {
  /// Tests keys of app configurations that the SDK itself reads.
  @Suite struct ConfigurationEffectTests {
    private static func device(_ app: String, isEnrolled: Bool = false) -> String {
      """
      name: Keys that the SDK reads
      device:
        mdm: { enrolled: \(isEnrolled) }
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        base:
          json: { displayName: Base, appGroupType: allApps, allowedOutboundDataTransferDestinations: managedApps }
          assign: [{ account: anna }, { account: ben }]
      configurations:
        allowing:
          json:
            displayName: Allowing
            appGroupType: allApps
            customSettings: [{ name: com.microsoft.intune.mam.screencapturecontrol, value: disabled }]
        blocking:
          json:
            displayName: Blocking
            appGroupType: allApps
            customSettings: [{ name: com.microsoft.intune.mam.screencapturecontrol, value: Enabled }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna]\(app) }
      steps:
        - launch: mail

      """
    }

    private static func capture(_ verdict: String, _ rule: String) -> String {
      "use: { app: mail, feature: screenCapture }, expect: { verdict: \(verdict), decidedBy: \(rule) }"
    }

    private static let allowed = capture("allowed", "screenCaptureControlDisabled")
    private static let blocked = capture("blocked", "screenCaptureFollowsSend")
    private static let byMDM =
      ", mdmManaged: true, configuration: { IntuneMAMUPN: anna@contoso.com, "
      + "com.microsoft.intune.mam.screencapturecontrol: Disabled }"

    static let passing = [
      (
        device(""),
        Steps(
          "the service's key allows screen capture as long as the account has the configuration",
          "{ \(blocked) }", "assignConfiguration: { account: anna, configuration: allowing }",
          "{ \(allowed) }", "assignConfiguration: { account: anna }",
          "{ \(blocked) }")
      ),
      (
        device(", multiIdentity: true, multiManagedIdentities: true")
          .replacing("signedIn: [anna]", with: "signedIn: [anna, ben]"),
        Steps(
          "the service's key is for its account only",
          "assignConfiguration: { account: anna, configuration: allowing }",
          "switchIdentity: { app: mail, to: anna }", "{ \(allowed) }",
          "switchIdentity: { app: mail, to: ben }", "{ \(blocked) }")
      ),
      (
        device(byMDM, isEnrolled: true),
        Steps(
          "a configuration with another value blocks screen capture", "{ \(allowed) }",
          "assignConfiguration: { account: anna, configuration: blocking }", "{ \(blocked) }",
          "assignConfiguration: { account: anna, configuration: allowing }", "{ \(allowed) }")
      ),
      (
        device(", sdkVersion: 7.0.0"),
        Steps(
          "releases without configurations from the service do not control screen capture",
          "assignConfiguration: { account: anna, configuration: allowing }",
          "{ \(capture("allowed", "screenCaptureNotControlled")) }")
      ),
    ]

    private static func managed(_ mdm: String, _ app: String = "com.microsoft.Office.Outlook")
      -> String
    {
      """
      name: Keys that Intune sends
      device:
        mdm: { enrolled: true\(mdm) }
        service: { mdmUser: anna }
      accounts:
        ben: { upn: ben@contoso.com }
        anna: { upn: anna@contoso.com, objectId: 0f8fad5b-d9cb-469f-a165-70867728950e }
      policies:
        managed:
          json: { displayName: Managed devices, appGroupType: allApps, targetedAppManagementLevels: mdm, printBlocked: true }
          assign: [{ account: anna }]
        unmanaged:
          json: { displayName: Unmanaged devices, appGroupType: allApps, targetedAppManagementLevels: unmanaged }
          assign: [{ account: anna }]
      apps:
        app: { bundle: \(app), sdk: true, mdmManaged: true, signedIn: [anna] }
        word: { bundle: com.microsoft.Office.Word, sdk: true, mdmManaged: true }
      steps:
        - launch: app

      """
    }

    private static func print(
      _ verdict: String, _ rule: String, from app: String = "app"
    ) -> String {
      "{ use: { app: \(app), feature: print }, expect: { verdict: \(verdict), decidedBy: \(rule) } }"
    }

    private static let rename = "rename: { account: anna, upn: anna.berg@contoso.com }"

    /// A configuration for managed devices that names anna to an app.
    private static let token = """
      configurations:
        user:
          json:
            "@odata.type": "#microsoft.graph.iosMobileAppConfiguration"
            displayName: User
            settings: [{ appConfigKey: IntuneMAMUPN, appConfigKeyType: stringType, appConfigKeyValue: "{{userprincipalname}}" }]
          assign: [{ account: anna, apps: [com.contoso.mail] }]

      """

    static let ofIntune = [
      (
        managed(", intune: true"),
        Steps("Intune names its user to Outlook", print("blocked", "printingBlocked"))
      ),
      (
        managed(", intune: true"),
        Steps(
          "Intune still names its user after the app gets another configuration",
          "{ configure: { app: app, configuration: { color: red } } }",
          print("blocked", "printingBlocked"))
      ),
      (
        managed(", intune: true", "com.contoso.mail"),
        Steps("Intune names its user to no other app", print("allowed", "printingAllowed"))
      ),
      (
        managed(""),
        Steps("another MDM gives no app its user", print("allowed", "printingAllowed"))
      ),
      (
        managed(", intune: true"),
        Steps(
          "the policy for managed devices still applies after a rename of the user", rename,
          "checkIn: { app: app, account: anna }", "relaunch: app",
          print("blocked", "printingBlocked"))
      ),
      (
        managed(", intune: true"),
        Steps(
          "Intune names the renamed user after a configuration and a restart of the device", rename,
          "configure: { app: app, configuration: { color: red } }",
          print("blocked", "printingBlocked"), "restart: device", "launch: app",
          print("blocked", "printingBlocked"))
      ),
      (
        managed(", intune: true"),
        Steps(
          "Intune names the renamed user to an app that the user signs in to later", rename,
          "launch: word", "signIn: { app: word, account: anna }",
          print("blocked", "printingBlocked", from: "word"))
      ),
      (
        managed(", intune: true").replacing(", signedIn: [anna]", with: ""),
        Steps(
          "a renamed user has the new UPN after a restart of a device without the user's data",
          rename, "restart: device", "launch: word", "signIn: { app: word, account: anna }",
          print("blocked", "printingBlocked", from: "word"))
      ),
      (
        managed(", intune: true"),
        Steps(
          "Intune names the new user if the device gets another one",
          print("blocked", "printingBlocked"), "service: { mdmUser: ben }",
          print("allowed", "printingAllowed"))
      ),
      (
        managed("", "com.contoso.mail").replacing("steps:", with: token + "steps:"),
        Steps(
          "a token of another MDM is filled with the new UPN, also after a restart of the device",
          print("blocked", "printingBlocked"), rename, print("blocked", "printingBlocked"),
          "restart: device", "launch: app", print("blocked", "printingBlocked"))
      ),
    ]

    @Test(arguments: passing + ofIntune) func keysDecide(_ device: String, _ steps: Steps) throws {
      expectPass(try Stage().play(text: device + steps.text))
    }
  }
}
