import EventLoop
import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Host
@testable import Policy

extension RealProcesses {
  /// Tests data that apps pass to the system and to storage locations.
  @Suite struct UseTests {
    /// A managed app's use of the system or a location, and its result.
    struct Row: Sendable, CustomTestStringConvertible {
      let testDescription: String
      var policy = Settings.managedOnly
      let use: Use
      let deciding: Rule?
      var end: RequestEnd?
      /// The pieces stored at the channel's location.
      var pieces: [String] = []
    }

    private static func saving(_ location: String) -> Row {
      Row(
        testDescription: "the unknown location `\(location)` is not used as a path",
        use: Use(channel: "saveTo", location: location, item: Item(text: "x")),
        deciding: .noSuchLocation)
    }

    static let rows = [
      Row(
        testDescription: "a printed item is stored on the device",
        use: Use(channel: "print", item: Item(text: "Quarterly figures")),
        deciding: nil, end: .delivered, pieces: ["Quarterly figures"]),
      Row(
        testDescription: "an item that a policy blocks is not stored", policy: .strict,
        use: Use(channel: "print", item: Item(text: "canary-4711")),
        deciding: .printingBlocked),
      Row(
        testDescription: "a query moves no data", use: Use(channel: "print"),
        deciding: nil, end: .delivered),
      saving("../../escaped"), saving("oneDrive"), saving(""), saving("localStorage"),
      Row(
        testDescription: "an account is refused at a location without accounts",
        use: Use(
          channel: "saveTo", location: "cameraRoll", account: "anna@contoso.com"),
        deciding: .locationHasNoAccount),
    ]

    @Test(arguments: rows)
    func `the system folder stores data sent to a system channel unless the request is blocked`(
      row: Row
    ) throws {
      let lab = try Lab(policy: row.policy, managed: "managed")
      lab.perform(.use(row.use), on: "managed")
      if let deciding = row.deciding {
        #expect(lab.decisions.map(\.verdict.deciding) == [deciding])
      }
      if let end = row.end { #expect(lab.ends.map(\.end) == [end]) }
      #expect(Self.pieces(at: row.use.channel, of: lab) == row.pieces)
      if row.deciding == .noSuchLocation {
        #expect(!FileManager.default.fileExists(atPath: lab.systemFolder))
      }
      lab.close()
    }

    @Test func `a managed file is stored as ciphertext if the SDK requires it`() throws {
      let lab = try Lab(policy: .strict, managed: "managed") {
        $0.state.isFileEncryptionRequired = true
      }
      lab.perform(
        .use(Use(channel: "fileEncryption", item: Item(text: "canary-4711"))),
        on: "managed")
      #expect(lab.ends.map(\.end) == [.deliveredEncrypted])
      let pieces = Self.pieces(at: "fileEncryption", of: lab)
      #expect(pieces.count == 1 && !pieces[0].contains("canary"))
      lab.close()
    }

    @Test(arguments: ["contactSync", "widget"], ["", "cameraRoll"])
    func `an account's wipe removes only its own contacts and widget data`(
      channel: String, location: String
    ) throws {
      var settings = Settings.managedOnly
      settings.allowWidgetContentSync = true
      let lab = try Lab(policy: settings, managed: "managed")
      let other = try lab.app("other")
      for (name, text) in [("managed", "Ben Berg"), (other, "Carla Cole")] {
        let use = Use(channel: channel, location: location, item: Item(text: text))
        lab.perform(.use(use), on: name)
      }
      #expect(lab.ends.map(\.end) == [.delivered, .delivered])
      #expect(Self.pieces(at: "\(channel)/managed", of: lab) == ["Ben Berg"])
      try lab.device.wipes.wipe(Lab.anna, in: "managed") {}
      lab.wait("the wipe") { !lab.device.wipes.isWiping }
      #expect(Self.pieces(at: "\(channel)/managed", of: lab).isEmpty)
      #expect(Self.pieces(at: channel, of: lab) == ["Carla Cole"])
      #expect(
        try lab.device.storage.database.files(
          ownedBy: Lab.anna, scopes: ["System/\(channel)/managed"]
        ).isEmpty)
      lab.close()
    }

    @Test func `an invalid system channel terminates only the guest that uses it`() throws {
      let lab = try Lab()
      for (number, channel) in ["share", "clipboard", "teleport", ""].enumerated() {
        let odd = try lab.app("odd-\(number)")
        lab.perform(.use(Use(channel: channel)), on: odd)
        lab.wait("its end") { !lab.device.guests.isRunning(odd) }
        #expect(lab.exits(of: odd) == ["protocolViolation"], "\(channel)")
      }
      try lab.closeInService()
    }

    @Test func `a system folder stores at most 4096 items, not counting failed writes`() throws {
      let folder = try Workspace()
      let sink = SystemSink(folder: folder.path("systemFolder"))
      #expect(sink.store([1], named: "0", at: "print"))
      for _ in 1...5000 where sink.store([1], named: "0", at: "print") {
        Issue.record("a piece has taken another's place")
      }
      var kept = 1
      for number in 1...5000 where sink.store([1], named: "\(number)", at: "print") { kept += 1 }
      #expect(kept == 4096)
    }

    @Test func `deleting a stored item frees its bytes for new items`() throws {
      let folder = try Workspace()
      let sink = SystemSink(folder: folder.path("systemFolder"))
      let piece = [UInt8](repeating: 1, count: 200 << 20)
      #expect(sink.store(piece, named: "0", at: "widget/mail"))
      #expect(sink.refusal(of: 100 << 20) != nil)
      let deleted = try #require(FileLocation(scope: "System/widget/mail", path: "0"))
      let other = try #require(FileLocation(scope: "Containers/mail", path: "0"))
      sink.forget([other])
      #expect(sink.refusal(of: 100 << 20) != nil)
      sink.forget([deleted, deleted])
      #expect(sink.refusal(of: 100 << 20) == nil)
      #expect(sink.refusal(of: 300 << 20) != nil)
    }

    @Test func `the system folder does not reuse an item name of an earlier run`() throws {
      let folder = try Workspace()
      for (run, name) in ["1", "1-2", "1-3"].enumerated() {
        let sink = SystemSink(folder: folder.path("systemFolder"))
        #expect(sink.name(for: 1, at: "print") == name)
        #expect(sink.store([UInt8(run)], named: name, at: "print"))
        #expect(sink.name(for: 2, at: "print") == "2")
        #expect(sink.name(for: 1, at: "widget/mail") == "1")
      }
    }

    private static func pieces(at place: String, of lab: Lab) -> [String] {
      let folder = "\(lab.systemFolder)/\(place)"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }
        .map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Tests conditional launch: the checks before a guest may act for its account.
  @Suite struct ConditionalLaunchTests {
    /// Returns a device with PIN prompts and a managed app.
    private static func lab(
      apps: [String] = [], _ adjust: (inout Settings) -> Void = { $0.pinRequired = true }
    ) throws -> Lab {
      var settings = Settings.managedOnly
      adjust(&settings)
      return try Lab(policy: settings, managed: "managed", apps: apps) { $0.prompts = .asked }
    }

    @Test func `an app locked for an account can copy again once the account signs out`() throws {
      let lab = try Self.lab()
      lab.perform(.signOut(account: "anna@contoso.com"), on: "managed")
      lab.perform(.copy(Item(text: "x")), on: "managed")
      #expect(lab.ends.map(\.end) == [.delivered, .delivered])
      lab.close()
    }

    @Test func `a wipe removes the account's content from the pasteboard`() throws {
      let lab = try Self.lab {
        $0.deviceComplianceRequired = true
        $0.appActionIfDeviceComplianceRequired = .wipe
      }
      lab.perform(.copy(Item(text: "Quarterly figures")), on: "managed")
      lab.device.guests.suspend("managed")
      lab.device.access.change { $0.isJailbroken = true }
      lab.device.guests.resume("managed")
      lab.wait("the wipe") { !lab.device.wipes.isWiping }
      lab.perform(.paste, on: "managed")
      #expect(lab.decisions.map(\.verdict.deciding) == [.copiedToPasteboard, .pasteboardEmpty])
      #expect(lab.device.identity(of: "managed")?.isManaged == false)
      lab.close()
    }
  }
}

extension Lab {
  /// The folder of data that was passed to the system.
  fileprivate var systemFolder: String { device.storage.folders.systemFolder }
}

extension RealProcesses {
  /// Tests the answers that SluiceKit gives an app about its policy, in a separate process.
  @Suite struct PolicyQuestionTests {
    @Test func `a managed account's policy queries are answered by its policy`() throws {
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

    @Test func `policy queries for an unmanaged account report no restriction`() throws {
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

    @Test func `an app can query whether its account may receive an item`() throws {
      let lab = try Lab(policy: .managedOnly)
      try Self.installProbe(in: lab, isManaged: true)
      try lab.device.install(
        AppDescription(name: "peer", bundleID: "com.example.hostile", integratesSDK: true))
      try lab.device.accounts.presetSignIn(Lab.anna, in: "peer")
      lab.launch(["peer"])
      lab.share("Quarterly figures", from: "peer", to: "managed")
      #expect(Self.lines(of: lab) == ["canReceiveSharedFile: true"])
      lab.close()
    }

    /// Returns the answers in alphabetical order.
    private static func answers(of lab: Lab, isManaged: Bool) throws -> [String] {
      try installProbe(in: lab, isManaged: isManaged)
      try lab.app("opener")
      lab.perform(.openURL(OpenURL("probe:all")), on: "opener")
      return lines(of: lab)
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

    private static func lines(of lab: Lab) -> [String] {
      lab.report("answers", of: "managed").split(separator: "\n").map(String.init).sorted()
    }
  }
}

extension Settings {
  /// A policy in which every kind of setting is restricted.
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

extension RealProcesses {
  /// Tests guests with worker threads of libdispatch, which needs `/proc`.
  @Suite struct DispatchTests {
    @Test func `an app declared to use libdispatch has worker threads with identities`() throws {
      let lab = try Lab()
      try Self.install(in: lab, usesDispatch: true, opening: "dispatchguest:all")
      lab.wait("the answers") { lab.file("answers", of: "busy")?.hasSuffix("\n") == true }
      let answers = lab.report("answers", of: "busy").split(separator: "\n")
      #expect(
        answers == [
          "async: anna@contoso.com", "back in the app: anna@contoso.com", "detached task: unset",
          "end of all: anna@contoso.com", "item: creator@contoso.com",
          "last of 100: anna@contoso.com", "operation: ", "plain async: unset",
          "sync: anna@contoso.com", "task: anna@contoso.com",
        ])
      #expect(lab.exits(of: "busy") == [])
      lab.close()
    }

    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `an undeclared use of libdispatch traps only the guest`() throws {
      let lab = try Lab()
      try Self.install(in: lab, usesDispatch: false, opening: "dispatchguest:endless")
      lab.expectEnd(of: "busy", "signalled")
      try lab.closeInService()
    }

    @Test(.enabled(if: Lab.canConfineFully, "this kernel's Landlock is older than ABI 6"))
    func `a guest reads only public data of other processes`() throws {
      let lab = try Lab.tracing()
      let host = "/proc/\(getpid())"
      let kept = [
        "/proc", host, "\(host)/fd", "\(host)/task", "\(host)/environ", "\(host)/mem",
        "\(host)/maps", "\(host)/root/etc/passwd", "\(host)/cwd", "\(host)/fd/0",
        "/proc/self/root/etc/passwd", "/etc/passwd",
      ]
      let program = AppDescription.Program.executable(
        path: "\(Lab.programs)/hostile-guest", arguments: ["escape", "\(host)/stat"] + kept)
      try lab.device.install(
        AppDescription(
          name: "hostile", bundleID: "com.example.hostile", program: program, usesDispatch: true))
      lab.launch(["hostile"])
      lab.wait("the attempts") { lab.trace.contains("socket tcp") }
      let opened = lab.trace.split(separator: "\n").compactMap { line in
        line.hasSuffix(": OPENED") ? line.split(separator: "hostile: ").last : nil
      }
      #expect(opened == (Lab.promises.contains(.mounts) ? [] : ["read \(host)/stat: OPENED"]))
      lab.close()
    }

    @Test func `a guest without libdispatch has one thread`() throws {
      let lab = try Lab(apps: ["plain"])
      let pid = try #require(lab.device.guests.processIdentifier(of: "plain"))
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")
      #expect(threads == ["\(pid)"])
      lab.close()
    }

    private static func install(in lab: Lab, usesDispatch: Bool, opening url: String) throws {
      try lab.device.install(
        AppDescription(
          name: "busy", bundleID: "com.example.busy",
          program: .executable(path: "\(TLSLab.programs)/dispatch-guest", arguments: []),
          usesDispatch: usesDispatch, integratesSDK: true, schemes: ["dispatchguest"]))
      lab.launch(["busy"])
      try lab.app("opener")
      lab.perform(.openURL(OpenURL(url)), on: "opener")
    }
  }
}
