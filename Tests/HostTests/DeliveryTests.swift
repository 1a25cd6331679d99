import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests which messages reach a process, and which never do.
  @Suite struct DeliveryTests {
    @Test func `an encrypted delivery contains no plain text`() throws {
      let lab = try Lab(policy: .managedOnly, managed: "managed", apps: ["outsider"])
      lab.perform(
        .share(Share(destination: "outsider", item: Item(text: "canary-4711"), via: .os)),
        on: "managed")
      #expect(lab.ends.map(\.end) == [.deliveredEncrypted])
      let inbox = lab.device.containerPath(of: "outsider") + "/Inbox/1"
      let bytes = try #require(FileManager.default.contents(atPath: inbox))
      #expect(bytes.count == 11 + 28)
      #expect(bytes.range(of: Data("canary".utf8)) == nil)
      lab.close()
    }

    @Test func `shared items arrive at the receiver in the order in which they were sent`() throws {
      let lab = try Lab(apps: ["sender", "receiver"])
      var done = 0
      for number in 1...500 {
        lab.device.driver.perform(.sharing("\(number)", with: "receiver"), on: "sender") { _ in
          done += 1
        }
      }
      lab.wait("500 outcomes") { done == 500 }
      #expect(lab.inbox(of: "receiver") == (1...500).map(String.init))
      lab.close()
    }

    @Test func `an item of several megabytes arrives complete`() throws {
      let lab = try Lab(apps: ["sender", "receiver"])
      let text = String(repeating: "0123456789abcdef", count: 512 * 1024)
      lab.share(text, from: "sender", to: "receiver")
      #expect(lab.inbox(of: "receiver").first?.utf8.count == text.utf8.count)
      #expect(lab.inbox(of: "receiver") == [text])
      lab.close()
    }

    @Test func `large items of processes go through shared memory, complete and in order`() throws {
      let lab = try Lab(apps: ["sender", "receiver"])
      let texts = (1...6).map { String(repeating: "\($0)23456789abcdef", count: 10_000 * $0) }
      for text in texts { lab.share(text, from: "sender", to: "receiver") }
      #expect(lab.inbox(of: "receiver") == texts)
      let registry = lab.device.services.registry
      #expect(try registry.find("sender").connection?.memory.window != nil)
      #expect(try registry.find("receiver").connection?.memory.inbox != nil)
      lab.close()
    }

    @Test func `sign-ins and keychain items survive a restart of the device`() throws {
      let workspace = try Workspace()
      let folder = workspace.path("device")
      let key = KeychainKey(service: "sync", account: "anna")
      do {
        let lab = try Lab(policy: .managedOnly, managed: "managed") { $0.folder = folder }
        lab.perform(.keychainAdd(key, value: Array("token".utf8)), on: "managed")
        lab.close()
      }
      let lab = try Lab(policy: .managedOnly, apps: ["managed"]) { $0.folder = folder }
      #expect(lab.device.identity(of: "managed")?.identity.accountID == Lab.anna.upn)
      #expect(lab.perform(.keychainQuery(key), on: "managed") == "token")
      lab.close()
    }
  }

  /// Tests how extensions load shared attachments, and how the requests end.
  @Suite struct LoadingTests {
    private static func lab() throws -> Lab {
      let lab = try Lab(policy: .managedOnly)
      try lab.device.install(
        AppDescription(
          name: "sharer", bundleID: "com.example.managed",
          program: .executable(path: "\(Lab.programs)/sharing-probe", arguments: []),
          integratesSDK: true, schemes: ["probe"]))
      try lab.device.accounts.presetSignIn(Lab.anna, in: "sharer")
      try lab.device.install(
        AppDescription(
          name: "loader", bundleID: "com.example.managed.loader",
          kind: .extension(.share, in: "com.example.managed"),
          program: .executable(path: "\(Lab.programs)/sharing-probe", arguments: []),
          integratesSDK: true))
      try lab.app("opener")
      lab.launch(["sharer"])
      return lab
    }

    private static func report(of lab: Lab) -> String {
      lab.perform(.openURL(OpenURL("probe:com.example.managed.loader")), on: "opener")
      return lab.report("report", of: "sharer")
    }

    @Test
    func `an extension loads selected representations, including promised ones, and can cancel`()
      throws
    {
      let lab = try Self.lab()
      let report = Self.report(of: lab)
      #expect(report == "ok\ndelivered\ncancelled")
      let loads = lab.decisions.filter { $0.operation == .loadItem }
      #expect(
        loads.map { $0.type ?? "?" } == [
          "public.jpeg", "public.png", "?", "?", "public.plain-text", "public.plain-text",
        ])
      lab.close()
    }

    @Test func `an extension receives the attachments of shared items one by one, in order`() throws
    {
      let lab = try Lab(apps: ["viewer", "notes"])
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.notes.clip",
          kind: .extension(.share, in: "com.example.notes")))
      let attachments = ["one", "two", "three"].map { text in
        OfferedAttachment(representations: [
          OfferedRepresentation(type: Item.plainText, content: .data(Array(text.utf8), nil)),
          OfferedRepresentation(type: "public.html", content: .data([], nil)),
        ])
      }
      let items = [
        OfferedItem(attachments: Array(attachments[..<2])),
        OfferedItem(attachments: Array(attachments[2...])),
      ]
      lab.perform(.shareItems(ShareItems(destination: "clip", items: items)), on: "viewer")
      #expect(lab.inbox(of: "clip#1") == ["one", "two", "three"])
      #expect(lab.decisions.map(\.operation) == [.share, .loadItem, .loadItem, .loadItem])
      #expect(lab.decisions.first?.bytes == 11)
      lab.close()
    }

    @Test func `a guest over its memory limit is terminated, and its request is undeliverable`()
      throws
    {
      let lab = try Lab(apps: ["viewer"]) { $0.limits.extensionRequest = 3_600_000 }
      try lab.device.install(
        AppDescription(
          name: "hog", bundleID: "com.example.hog",
          kind: .extension(.notificationService, in: "com.example.viewer"),
          program: .executable(path: "\(Lab.programs)/hostile-guest", arguments: ["hog"])))
      let use = Use(
        channel: Channel.notification.rawValue, item: Item(text: "Lunch"), extensionID: "hog")
      var isDone = false
      lab.device.driver.perform(.use(use), on: "viewer") { _ in isDone = true }
      lab.wait("the extension") { lab.device.services.registry["hog#1"]?.isReady == true }
      lab.waitAsTimePasses("the outcome") { isDone }
      #expect(lab.exits(of: "hog#1") == ["memoryLimit"])
      #expect(lab.ends.map(\.end) == [.undeliverable])
      try lab.closeInService()
    }

    @Test func `an item above the limit on pending data of extensions is undeliverable`() throws {
      let lab = try Lab(apps: ["viewer"]) { $0.limits.extensionBytes = 1_000 }
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.notes.clip",
          kind: .extension(.share, in: "com.example.notes")))
      lab.share(String(repeating: "a", count: 1_001), from: "viewer", to: "clip")
      lab.share(String(repeating: "a", count: 1_000), from: "viewer", to: "clip")
      #expect(lab.ends.map(\.end) == [.undeliverable, .delivered, .delivered])
      lab.close()
    }

    @Test func `an item with no or too many representations terminates its sender`() throws {
      let lab = try Lab()
      for (name, count) in [("none", 0), ("many", 65)] {
        try lab.app(name)
        let types = (0..<count).map {
          OfferedRepresentation(type: "public.t\($0)", content: .promised)
        }
        let items = [OfferedItem(attachments: [OfferedAttachment(representations: types)])]
        lab.perform(.shareItems(ShareItems(destination: "nobody", items: items)), on: name)
        #expect(lab.exits(of: name) == ["protocolViolation"])
      }
      lab.close()
    }
  }

  /// A guest's statements about itself and its data are verified. They are accepted only if the
  /// device made them first.
  @Suite struct ForgeryTests {
    @Test func `a forged source is recorded, and the verdict uses the real sender`() throws {
      let lab = try Lab(apps: ["target"])
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
    func `an item with a forged or foreign ownership tag is blocked`(mode: String, rule: Rule)
      throws
    {
      let lab = try Lab(apps: ["target"])
      try lab.hostile(mode, ["com.example.target"])
      lab.wait("the share") { lab.ends.count == 1 }
      #expect(lab.decisions.first?.verdict.deciding == rule)
      #expect(lab.ends.map(\.end) == [.refused])
      #expect(lab.inbox(of: "target") == [])
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }

    @Test func `a guest that replays a request is terminated, and the request is decided once`()
      throws
    {
      let lab = try Lab(apps: ["target"])
      try lab.hostile("replay", ["com.example.target"])
      lab.expectEnd(of: "hostile", "protocolViolation")
      lab.wait("the first request's end") { lab.ends.count == 1 }
      #expect(lab.decisions.count == 1)
      lab.close()
    }

    @Test func `an ownership tag is accepted only with the type and content that it seals`() throws
    {
      let signer = TagSigner(device: "lab", key: Array(repeating: 7, count: 32))
      let prefix = signer.prefix(owner: Lab.anna, isManaged: true, originApp: "com.example.a")
      let type = Array("public.text".utf8)
      let text = Array("figures".utf8)
      let tag = type.withUnsafeBytes { type in
        text.withUnsafeBytes { text in
          signer.seal(prefix, number: 7, type: type, payload: text)
          return OwnershipTag(
            ownerUPN: Lab.anna.upn, ownerObjectID: Lab.anna.objectID ?? "",
            ownerTenantID: Lab.anna.tenantID ?? "", isManaged: true, originApp: "com.example.a",
            device: "lab", sequence: 7, seal: Array(signer.seal))
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
            signer.isGenuine(changed, type: type, payload: text)
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

@Suite struct DeviceConfigurationTests {
  @Test(arguments: [(1 << 20, (1 << 20) - (1 << 16)), (1 << 16, 1 << 15), (100, 50)])
  func `the frame limit of a guest is lower than the frame limit of the device`(
    frame: Int, guestFrame: Int
  ) {
    var limits = DeviceConfiguration.Limits()
    limits.frame = frame
    #expect(limits.guestFrame == guestFrame)
  }
}
