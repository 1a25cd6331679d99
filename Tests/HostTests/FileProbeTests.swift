import Foundation
import Model
import Policy
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// A program of its own that uses everything SluiceKit has for files, data and identities.
  @Suite struct FileProbeTests {
    private static let ben = Account(upn: "ben@example.org")

    @Test(arguments: [true, false])
    func `all calls about files do what they say, for a managed account and another`(
      isManaged: Bool
    ) throws {
      var settings = Settings()
      settings.appDataEncryptionType = .whenDeviceLocked
      let lab = try Lab(policy: settings)
      try lab.device.install(
        AppDescription(
          name: "probe", bundleID: "com.example.managed",
          program: .executable(path: "\(Lab.programs)/file-probe", arguments: []),
          integratesSDK: true, isMultiIdentity: true, schemes: ["probe"],
          appGroups: ["group.com.example.probe"]))
      let account = isManaged ? Lab.anna : Self.ben
      try lab.device.accounts.presetSignIn(account, in: "probe")
      try lab.app("opener")
      lab.launch(["probe"])
      lab.perform(.openURL(OpenURL("probe:\(account.upn)")), on: "opener")
      let path = lab.device.containerPath(of: "probe") + "/report"
      lab.wait("the report") { FileManager.default.fileExists(atPath: path) }
      let report = try String(contentsOfFile: path, encoding: .utf8)
      #expect(report == "ok")
      lab.close()
    }
  }
}
