import Foundation
import Model
import Policy
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What becomes of a wipe that is interrupted, and of what is asked meanwhile.
  @Suite struct WipeRecoveryTests {
    private static let anna = TaskContext(thread: Lab.anna.upn)

    private static func install(_ lab: Lab, wipe: WipeBehaviour = .failed) throws {
      try lab.device.install(
        AppDescription(
          name: "managed", bundleID: "com.example.managed", integratesSDK: true,
          isMultiIdentity: true, behaviour: Behaviour(wipe: wipe)))
    }

    private static var settings: Settings {
      var settings = Settings()
      settings.appDataEncryptionType = .whenDeviceLocked
      return settings
    }

    @Test func `a wipe that the device did not live to finish goes on when it comes up`() throws {
      let folder = NSTemporaryDirectory() + "sluice-kept-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      do {
        let lab = try Lab(policy: Self.settings) { $0.folder = folder }
        try Self.install(lab)
        try lab.device.accounts.presetSignIn(Lab.anna, in: "managed")
        lab.launch(["managed"])
        lab.work(.write, "a.txt", "canary", as: Self.anna, on: "managed")
        try lab.device.storage.database.markWipe(of: Lab.anna, in: "managed")
        lab.close()
      }
      let lab = try Lab(policy: Self.settings) { $0.folder = folder }
      try Self.install(lab)
      lab.wait("the wipe") { !lab.device.wipes.isWiping }
      let path = lab.device.containerPath(of: "managed") + "/a.txt"
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(try lab.device.storage.database.accounts(of: "managed").isEmpty)
      #expect(
        try lab.device.storage.database.existingAccountKey(
          of: Lab.anna, wrap: lab.device.files.wrappingKey)
          == nil)
      lab.close()
    }

    @Test func `nobody acts for an account or signs it in while it is wiped`() throws {
      let lab = try Lab(policy: Self.settings)
      try Self.install(lab, wipe: .hang)
      lab.hasDeafGuests = true
      try lab.device.accounts.presetSignIn(Lab.anna, in: "managed")
      lab.launch(["managed"])
      var isDone = false
      try lab.device.wipes.wipe(Lab.anna, in: "managed") { isDone = true }
      let requests: [GuestMessage.Body] = [
        .switchIdentity(SwitchIdentity(account: Lab.anna.upn)), .signIn(account: Lab.anna.upn),
      ]
      for request in requests {
        var isAnswered = false
        lab.device.driver.perform(request, on: "managed") { _ in isAnswered = true }
        lab.wait("an answer") { isAnswered }
      }
      #expect(!isDone)
      #expect(
        lab.decisions.map(\.verdict.deciding) == [.accountBeingWiped, .accountBeingWiped])
      lab.pass(\.wipe)
      lab.wait("the wipe") { isDone }
      lab.close()
    }
  }
}
