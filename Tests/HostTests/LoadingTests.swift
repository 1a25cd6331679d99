import Foundation
import Model
import Policy
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// What extensions load of what is shared with them, and how that ends.
  @Suite struct LoadingTests {
    private static func lab(_ adjust: (inout AppDescription) -> Void = { _ in }) throws -> Lab {
      let lab = try Lab(policy: .managedOnly)
      try lab.device.install(
        AppDescription(
          name: "sharer", bundleID: "com.example.managed",
          program: .executable(path: "\(Lab.programs)/sharing-probe", arguments: []),
          integratesSDK: true, schemes: ["probe"]))
      try lab.device.accounts.presetSignIn(Lab.anna, in: "sharer")
      var loader = AppDescription(
        name: "loader", bundleID: "com.example.managed.loader",
        kind: .extension(.share, in: "com.example.managed"),
        program: .executable(path: "\(Lab.programs)/sharing-probe", arguments: []),
        integratesSDK: true)
      adjust(&loader)
      try lab.device.install(loader)
      try lab.app("opener")
      lab.launch(["sharer"])
      return lab
    }

    private static func report(of lab: Lab) throws -> String {
      lab.perform(.openURL(OpenURL("probe:com.example.managed.loader")), on: "opener")
      let path = lab.device.containerPath(of: "sharer") + "/report"
      lab.wait("the report") { FileManager.default.fileExists(atPath: path) }
      return try String(contentsOfFile: path, encoding: .utf8)
    }

    @Test func `an extension loads what it wants, promises included, and cancels`() throws {
      let lab = try Self.lab()
      let report = try Self.report(of: lab)
      #expect(report == "ok\ndelivered\ncancelled")
      let loads = lab.decisions.filter { $0.operation == .loadItem }
      #expect(
        loads.map { $0.type ?? "?" } == [
          "public.jpeg", "public.png", "?", "?", "public.plain-text", "public.plain-text",
        ])
      lab.close()
    }

    @Test func `what several attachments hold arrives one by one`() throws {
      let lab = try Lab()
      try lab.app("viewer")
      try lab.app("notes")
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

    @Test func `who takes too much memory is ended, and the request with it`() throws {
      let lab = try Lab { $0.limits.extensionRequest = 3_600_000 }
      try lab.app("viewer")
      try lab.device.install(
        AppDescription(
          name: "hog", bundleID: "com.example.hog",
          kind: .extension(.notificationService, in: "com.example.viewer"),
          program: .executable(path: "\(Lab.programs)/hostile-guest", arguments: ["hog"])))
      let use = SystemHandOff(
        channel: Channel.notification.rawValue, item: Item(text: "Lunch"), extensionID: "hog")
      var isDone = false
      lab.device.driver.perform(.use(use), on: "viewer") { _ in isDone = true }
      lab.wait("the extension") { lab.device.owners.registry["hog#1"]?.isReady == true }
      lab.waitAsTimePasses("the outcome") { isDone }
      #expect(lab.exits(of: "hog#1") == ["memoryLimit"])
      #expect(lab.ends.map(\.end) == [.undeliverable])
      try lab.expectService()
      lab.close()
    }

    @Test func `what is more than extensions may have waiting for them is not delivered`() throws {
      let lab = try Lab { $0.limits.extensionBytes = 1_000 }
      try lab.app("viewer")
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.notes.clip",
          kind: .extension(.share, in: "com.example.notes")))
      lab.share(String(repeating: "a", count: 1_001), from: "viewer", to: "clip")
      lab.share(String(repeating: "a", count: 1_000), from: "viewer", to: "clip")
      #expect(lab.ends.map(\.end) == [.undeliverable, .delivered, .delivered])
      lab.close()
    }

    @Test func `an item that promises nothing, or too much, ends who shares it`() throws {
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
}
