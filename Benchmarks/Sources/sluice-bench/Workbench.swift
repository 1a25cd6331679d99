internal import Foundation
internal import Host
internal import Model
internal import Policy
internal import Wire

/// A device for benchmarks, in a temporary folder.
struct Workbench {
  let device: Device
  let folder: String

  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")

  init(_ adjust: (inout DeviceConfiguration) -> Void = { _ in }) throws {
    folder = NSTemporaryDirectory() + "sluice-bench-\(UUID().uuidString)"
    let programs = FileManager.default.currentDirectoryPath + "/../bin"
    var configuration = DeviceConfiguration(
      name: "sluice", folder: folder,
      programs: .init(guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch"))
    configuration.accounts = [Self.anna]
    configuration.policies = [
      PolicyAssignment(
        document: PolicyDocument(displayName: "bench", file: "bench", settings: Self.settings),
        account: Self.anna, apps: ["com.example.sender", "com.example.receiver"])
    ]
    adjust(&configuration)
    device = try Device(configuration)
  }

  /// Data is transferred only among policy-managed apps in both directions, so every transfer
  /// evaluates both sides.
  private static var settings: Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    return settings
  }

  func container(of guest: String) -> String { device.containerPath(of: guest) }

  func launch(_ names: [String]) {
    var isDone = false
    device.guests.launch(names) { isDone = true }
    device.run { isDone }
  }

  /// Launches an app for several accounts with Anna signed in, and waits until the app is ready.
  func launchMultiIdentityApp(_ name: String) throws {
    try device.install(
      AppDescription(
        name: name, bundleID: "com.example.sender", integratesSDK: true, isMultiIdentity: true))
    try device.accounts.presetSignIn(Self.anna, in: name)
    try device.accounts.presetSignIn(Self.private, in: name)
    launch([name])
  }

  /// Launches `sender` and `receiver`. The latter is the C guest of the other benchmarks, which
  /// only confirms items.
  func launchPeers() throws {
    let peer = FileManager.default.currentDirectoryPath + "/build/peer"
    try device.install(
      AppDescription(
        name: "receiver", bundleID: "com.example.receiver",
        program: .executable(path: peer, arguments: ["receive"])))
    try device.install(AppDescription(name: "sender", bundleID: "com.example.sender"))
    launch(["receiver", "sender"])
  }

  static let `private` = Account(upn: "anna@example.org")

  /// Makes a guest send a request, and waits for the answer.
  func perform(_ request: GuestMessage.Body, on guest: String) {
    var isDone = false
    device.driver.perform(request, on: guest) { _ in isDone = true }
    device.run { isDone }
  }

  /// Makes all guests send a request at the same time, and waits for all answers.
  func performOnAll(_ request: GuestMessage.Body, on guests: [String]) {
    var answers = 0
    for guest in guests { device.driver.perform(request, on: guest) { _ in answers += 1 } }
    device.run { answers == guests.count }
  }

  func stop(_ names: [String]) {
    var isDone = false
    device.guests.stop(names) { isDone = true }
    device.run { isDone }
  }

  func perform(_ work: FileWork, as account: Account, on guest: String) {
    var isDone = false
    device.driver.perform(work, as: TaskContext(thread: account.upn), on: guest) { _ in
      isDone = true
    }
    device.run { isDone }
  }

  func close() {
    var isDone = false
    device.guests.stopAll { isDone = true }
    device.run { isDone }
    device.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
