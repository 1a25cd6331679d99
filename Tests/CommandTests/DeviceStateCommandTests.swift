import Foundation
import JSON
import TestSupport
import Testing

extension RealProcesses {
  /// `sluice explain device-state`.
  @Suite struct DeviceStateCommandTests {
    private static let scenario = """
      device: { mdm: { enrolled: true }, service: { reachable: false } }
      accounts:
        anna: { upn: anna@contoso.com }
        ben: { upn: ben@contoso.com }
      policies:
        managed:
          json:
            displayName: For managed devices
            apps: [{ mobileAppIdentifier: { "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", bundleId: com.contoso.mail } }]
            targetedAppManagementLevels: mdm
          assign: [{ account: anna }, { account: ben }]
        unmanaged:
          json:
            displayName: For unmanaged devices
            apps: [{ mobileAppIdentifier: { "@odata.type": "#microsoft.graph.iosMobileAppIdentifier", bundleId: com.contoso.mail } }]
            targetedAppManagementLevels: unmanaged
          assign: [{ account: anna }]
      apps:
        mail:
          bundle: com.contoso.mail
          sdk: true
          signedIn: [anna]
          configuration: { IntuneMAMUPN: anna@contoso.com }
        notes: { bundle: com.contoso.notes, sdk: true, configuration: { "IntuneMAMUPN ": anna@contoso.com } }
        plain: { bundle: org.example.plain }
      steps:
        - launch: mail
        - register: { app: mail, account: ben }
      """

    private static func explain(_ arguments: String...) throws -> Desk.Ended {
      let desk = try Desk()
      _ = try desk.folder.write(scenario, to: "a.yaml")
      return try desk.run(
        Desk.program, ["explain", "device-state", "--scenario", "a.yaml"] + arguments)
    }

    @Test func `every policy is named, with why it applies or does not`() throws {
      let ended = try Self.explain("mail")
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(
        ended.output == """
          mail (com.contoso.mail)
            the app integrates the Intune App SDK
            the device is enrolled in MDM, and the app's configuration has `IntuneMAMUPN`: to policies it is managed for that account, and unmanaged for any other
          anna@contoso.com: managed, enrolled
            targeted: `For managed devices` (a.yaml): targeted by bundle id
            not targeted: `For unmanaged devices` (a.yaml): not targeted at mdm devices
          ben@contoso.com: not managed, not signed in
            not targeted: `For managed devices` (a.yaml): not targeted at unmanaged devices, which an enrolled one without `IntuneMAMUPN` counts as

          """)
    }

    @Test func `what is missing for management is told`() throws {
      let notes = try Self.explain("notes").output
      #expect(notes.contains("has no `IntuneMAMUPN`: to policies it counts as unmanaged"))
      #expect(notes.contains("has `IntuneMAMUPN `, which is another key"))
      #expect(try Self.explain("plain").output.contains("so that no policy applies in it"))
    }

    @Test func `JSON says the same`() throws {
      let value = try JSONReader.read(try Self.explain("mail", "--format", "json").output)
      let anna = try #require(value["accounts"]?.array?.first)
      #expect(anna["managed"]?.bool == true)
      #expect(anna["managementState"]?.string == "enrolled")
      #expect(anna["policies"]?.array?.compactMap { $0["targeted"]?.bool } == [true, false])
    }

    @Test func `an app that is not there is named with those that are`() throws {
      let ended = try Self.explain("male")
      #expect(ended.status == 2)
      #expect(
        ended.errors.contains(
          "no app is called `male`; there are `mail`, `notes`, `plain` [app]"))
    }
  }
}
