import Foundation
import Model
import Testing
import Wire

@testable import Host
@testable import Policy

extension RealProcesses {
  /// What an app hears that asks its policy through SluiceKit, in a process of its own.
  @Suite struct PolicyQuestionTests {
    @Test func `a managed account hears what its policy says`() throws {
      let lab = try Lab(policy: .strict)
      let answers = try Self.answers(of: lab, isManaged: true)
      #expect(
        answers == [
          "areAppIntentsAllowed: false", "areSiriIntentsAllowed: false",
          "getSaveToLocations: oneDriveForBusiness", "isAppSharingAllowed: true",
          "isContactSyncAllowed: false", "isDocumentPickerAllowed(exportToService): false",
          "isDocumentPickerAllowed(import): false", "isDocumentPickerAllowed(moveToService): false",
          "isDocumentPickerAllowed(open): false", "isFileEncryptionRequired: false",
          "isManagedBrowserRequired: true", "isOpenFromAllowed(camera, nil): false",
          "isPrintingAllowed: false", "isSaveToAllowed(oneDriveForBusiness, nil): false",
          "isSaveToAllowed(oneDriveForBusiness, own): true", "isScreenCaptureAllowed: false",
          "isSpotlightIndexingAllowed: false", "isURLAllowed(zoomus): false",
          "isURLAllowed(zoomus, known): true", "isUniversalLinkAllowed: false",
          "isWidgetContentSyncAllowed: false", "notificationPolicy: blockOrgData",
        ])
      lab.close()
    }

    @Test func `an unmanaged account is allowed everything`() throws {
      let lab = try Lab(policy: .strict)
      let answers = try Self.answers(of: lab, isManaged: false)
      let restricted = answers.filter { !$0.hasSuffix(": true") }
      #expect(
        restricted == [
          "getSaveToLocations: accountDocument box cameraRoll dropbox egnyte googleDrive iManage "
            + "localDrive oneDriveForBusiness other sharePoint",
          "isFileEncryptionRequired: false", "isManagedBrowserRequired: false",
          "notificationPolicy: allow",
        ])
      lab.close()
    }

    @Test func `an app can ask whether its account may have what came in`() throws {
      let lab = try Lab(policy: .managedOnly)
      try Self.installProbe(in: lab, isManaged: true)
      try lab.device.install(
        AppDescription(name: "peer", bundleID: "com.example.hostile", integratesSDK: true))
      try lab.device.accounts.presetSignIn(Lab.anna, in: "peer")
      lab.launch(["peer"])
      lab.share("Quarterly figures", from: "peer", to: "managed")
      #expect(try Self.lines(of: lab) == ["canReceiveSharedFile: true"])
      lab.close()
    }

    /// Sorted.
    private static func answers(of lab: Lab, isManaged: Bool) throws -> [String] {
      try installProbe(in: lab, isManaged: isManaged)
      try lab.app("opener")
      lab.perform(.openURL(OpenURL("probe:all")), on: "opener")
      return try lines(of: lab)
    }

    private static func installProbe(in lab: Lab, isManaged: Bool) throws {
      try lab.device.install(
        AppDescription(
          name: "managed", bundleID: "com.example.managed",
          program: .executable(path: "\(Lab.programs)/policy-probe", arguments: []),
          integratesSDK: true, schemes: ["probe"]))
      if isManaged { try lab.device.accounts.presetSignIn(Lab.anna, in: "managed") }
      lab.launch(["managed"])
    }

    private static func lines(of lab: Lab) throws -> [String] {
      let path = lab.device.containerPath(of: "managed") + "/answers"
      lab.wait("the answers") { FileManager.default.fileExists(atPath: path) }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return text.split(separator: "\n").map(String.init).sorted()
    }
  }
}

extension Settings {
  /// Something of everything is restricted.
  static var strict: Settings {
    var settings = Settings.managedOnly
    settings.saveAsBlocked = true
    settings.allowedDataStorageLocations = [.oneDriveForBusiness]
    settings.blockDataIngestionIntoOrganizationDocuments = true
    settings.managedBrowser = .microsoftEdge
    settings.printBlocked = true
    settings.contactSyncBlocked = true
    settings.notificationRestriction = .blockOrganizationalData
    settings.appDataEncryptionType = .whenDeviceLocked
    return settings
  }
}
