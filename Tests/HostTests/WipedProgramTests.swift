import Cryptography
import FileProtection
import Foundation
import Model
import TestSupport
import Testing

@testable import Host

extension RealProcesses {
  /// Programs from which an account is wiped while they do what they like.
  @Suite struct WipedProgramTests {
    @Test func `a program cannot move a file past the search for it`() throws {
      let lab = try Lab()
      try lab.install(
        executable: "\(Lab.programs)/hostile-guest", ["shuffle", "a/sealed", "b/sealed"],
        name: "hostile")
      try lab.device.accounts.presetSignIn(Lab.anna, in: "hostile")
      let container = lab.device.containerPath(of: "hostile")
      for folder in ["a", "b"] {
        try FileManager.default.createDirectory(
          atPath: "\(container)/\(folder)", withIntermediateDirectories: true)
      }
      let page = ProtectionHeader.firstPage(
        owner: Lab.anna, key: .random(),
        accountKey: AES256GCM(key: Array(repeating: 7, count: 32)))
      try Data(page).write(to: URL(fileURLWithPath: "\(container)/a/sealed"))
      lab.hasDeafGuests = true
      lab.launch(["hostile"])
      var isDone = false
      try lab.device.wipes.wipe(Lab.anna, in: "hostile") { isDone = true }
      lab.waitAsTimePasses("the end of the wipe") { isDone }
      let notes = lab.events.compactMap { event in
        if case .wipeAdvanced(_, _, "deleted", let note) = event { note } else { nil }
      }
      #expect(notes == ["1 file and 0 keychain items"])
      for folder in ["a", "b"] {
        let left = try FileManager.default.contentsOfDirectory(atPath: "\(container)/\(folder)")
        #expect(left == [])
      }
      try lab.expectService()
      lab.close()
    }
  }
}
