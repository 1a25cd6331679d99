internal import Declarations
internal import Foundation
internal import Host
internal import Model
internal import Policy
internal import Secrets
internal import Wire

/// A device with a guest that uses an identity. The device created and stores the identity's
/// elliptic-curve key.
struct Signer {
  private static let app = "maps"
  private static let identity = "device"

  private let device: Device
  private let folder: String
  /// A key of the same type in this process, used for comparison.
  private let key: PrivateKey

  init() throws {
    key = try PrivateKey(.p256)
    folder = NSTemporaryDirectory() + "managed-bench-\(UUID().uuidString)"
    let programs = FileManager.default.currentDirectoryPath + "/../bin"
    var configuration = DeviceConfiguration(
      name: "sluice", folder: folder,
      programs: .init(guest: "\(programs)/sluice-guest", launch: "\(programs)/sluice-launch"))
    configuration.state.isMDMEnrolled = true
    configuration.journal = .off
    device = try Device(configuration)
    try device.install(
      AppDescription(name: Self.app, bundleID: "com.example.maps", team: "TEAM"))
    try device.management.apply(Self.declarations)
    var isReady = false
    device.guests.launch([Self.app]) { isReady = true }
    device.run { isReady }
  }

  private static let declarations = DeclarationSet(
    DeclarationFolder(
      name: "bench",
      files: [
        "all.json": Array(
          """
          [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
          "Payload": {"StandardConfigurations": ["maps"]}},
          {"Type": "com.apple.configuration.app.managed", "Identifier": "maps", "ServerToken": "1",
          "Payload": {"BundleID": "com.example.maps", "AppConfig": {
          "Identities": [{"Identifier": "\(identity)", "AssetReference": "identity"}]}}},
          {"Type": "com.apple.asset.credential.acme", "Identifier": "identity", "ServerToken": "1",
          "Payload": {"Reference": {"DataURL": "identity.json", "ContentType": "application/json"}}}]
          """.utf8),
        "identity.json": Array(
          """
          {"DirectoryURL": "https://ca.example.com", "ClientIdentifier": "c", "KeySize": 256,
          "KeyType": "ECSECPrimeRandom", "HardwareBound": true, "Subject": [[["CN", "maps"]]]}
          """.utf8),
      ]))

  /// Requests a signature through the guest, and waits for it.
  func signRemotely(_ data: [UInt8]) -> [UInt8] {
    let request = ManagedAppRequest.sign(
      identifier: Self.identity, .ecdsaSignatureMessageX962SHA256, data)
    var signature: [UInt8]?
    device.driver.perform(.managedApp(request), on: Self.app) { signature = $0.found }
    device.run { signature != nil }
    return signature ?? []
  }

  func verifies(_ signature: [UInt8], of data: [UInt8]) -> Bool {
    device.management.verifies(signature, of: data, byIdentity: Self.identity, of: Self.app)
  }

  /// Sends the shortest request that a device decides.
  func askBare() {
    var isDone = false
    device.driver.perform(.paste, on: Self.app) { _ in isDone = true }
    device.run { isDone }
  }

  /// Signs in this process, without a device.
  func signHere(_ data: [UInt8]) throws -> [UInt8] {
    try key.sign(data, .ecdsaSignatureMessageX962SHA256)
  }

  func close() {
    var isDone = false
    device.guests.stopAll { isDone = true }
    device.run { isDone }
    device.close()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
