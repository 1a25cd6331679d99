import Foundation
import Model
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What a guest says of itself and of its data is checked, and believed only where the device said it first.
  @Suite struct ForgeryTests {
    @Test func `a forged source is recorded, and the real one is what counts`() throws {
      let lab = try Lab()
      try lab.app("target")
      try lab.hostile("forged-source", ["com.example.target"])
      lab.wait("the share") { lab.ends.count == 1 }
      #expect(lab.decisions.first?.sender?.app == "com.example.hostile")
      let claims = lab.events.compactMap { event -> String? in
        if case .claimIgnored("hostile", "source", let claimed, "com.example.hostile") = event {
          return claimed
        }
        return nil
      }
      #expect(claims == ["com.victim.app"])
      lab.close()
    }

    @Test(arguments: [("forged-tag", Rule.tagSealBroken), ("foreign-tag", .tagOfAnotherDevice)])
    func `an item under a false tag does not move`(mode: String, rule: Rule) throws {
      let lab = try Lab()
      try lab.app("target")
      try lab.hostile(mode, ["com.example.target"])
      lab.wait("the share") { lab.ends.count == 1 }
      #expect(lab.decisions.first?.verdict.deciding == rule)
      #expect(lab.ends.map(\.end) == [.refused])
      #expect(lab.inbox(of: "target") == [])
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }

    @Test func `a replayed request ends the guest, and is decided once`() throws {
      let lab = try Lab()
      try lab.app("target")
      try lab.hostile("replay", ["com.example.target"])
      lab.wait("the guest to end") { !lab.device.guests.isRunning("hostile") }
      #expect(lab.exits(of: "hostile") == ["protocolViolation"])
      lab.wait("the first request's end") { lab.ends.count == 1 }
      #expect(lab.decisions.count == 1)
      lab.close()
    }

    @Test func `a tag comes back with the very item only`() throws {
      let sealer = Sealer(device: "lab", key: Array(repeating: 7, count: 32))
      let stamp = sealer.stamp(owner: Lab.anna, isManaged: true, originApp: "com.example.a")
      let type = Array("public.text".utf8)
      let text = Array("figures".utf8)
      let tag = type.withUnsafeBytes { type in
        text.withUnsafeBytes { text in
          sealer.seal(stamp, number: 7, type: type, payload: text)
          return OwnershipTag(
            ownerUPN: Lab.anna.upn, ownerObjectID: Lab.anna.objectID ?? "",
            ownerTenantID: Lab.anna.tenantID ?? "", isManaged: true, originApp: "com.example.a",
            device: "lab", sequence: 7, seal: Array(sealer.seal))
        }
      }
      func isGenuine(
        _ change: (inout OwnershipTag) -> Void, type: String = "public.text",
        text: String = "figures"
      ) -> Bool {
        var changed = tag
        change(&changed)
        return Array(type.utf8).withUnsafeBytes { type in
          Array(text.utf8).withUnsafeBytes { text in
            sealer.isGenuine(changed, type: type, payload: text)
          }
        }
      }
      #expect(isGenuine { _ in })
      #expect(!isGenuine({ _ in }, text: "Figures"))
      #expect(!isGenuine({ _ in }, type: "public.texts", text: "igures"))
      #expect(!isGenuine { $0.isManaged = false })
      #expect(!isGenuine { $0.ownerUPN = "bob@contoso.com" })
      #expect(!isGenuine { $0.originApp = "com.example.b" })
      #expect(!isGenuine { $0.sequence += 1 })
      #expect(!isGenuine { $0.seal[0] ^= 1 })
      #expect(!isGenuine { $0.seal.removeLast() })
    }
  }
}
