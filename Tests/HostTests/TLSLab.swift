import Declarations
import Foundation
import Policy
import Secrets
import TestSupport
import Testing

@testable import Host

/// A device with the example Landmarks and a real server, whose clock is the machine's.
struct TLSLab {
  let lab: Lab
  let workspace: Workspace
  var device: Device { lab.device }

  /// Where `swift build` puts programs.
  static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path
  static let now = Int(Date().timeIntervalSince1970)
  static let content = "what the server has"

  /// - Parameter adjust: of the device's configuration.
  init(startTime: Int = Self.now) throws {
    workspace = try Workspace()
    try workspace.write(Self.content, to: "served/landmarks")
    lab = try Lab {
      $0.state.isMDMEnrolled = true
      $0.startTime = startTime
      $0.programs.server = "\(Self.programs)/sluice-server"
    }
    var app = AppDescription(
      name: "landmarks", bundleID: "com.contoso.landmarks", team: "CONTOSO123",
      program: .executable(path: "\(Self.programs)/landmarks", arguments: []),
      usesDispatch: true)
    app.servers = ["resources"]
    try device.install(app)
  }

  func server(
    _ version: ServerDescription.Version = .any,
    clients: ServerDescription.ClientCertificate = .required
  ) throws -> ServerDescription {
    ServerDescription(
      name: "resources", host: "resources.contoso.com", folder: workspace.path("served"),
      clientCertificate: clients, version: version)
  }

  /// What Landmarks' administrator declares.
  ///
  /// - Parameters:
  ///   - identity: the type of an asset, and the JSON of its data; nil: none.
  ///   - place: what is to be fetched.
  static func declarations(
    _ identity: (type: String, json: String)?, revision: String = "1",
    place: String = "https://resources.contoso.com/landmarks"
  ) -> DeclarationSet {
    let reference = #"{"Identifier": "device", "AssetReference": "identity"}"#
    let identities = identity == nil ? "[]" : "[\(reference)]"
    let asset = """
      {"Type": "com.apple.asset.credential.\(identity?.type ?? "acme")", "Identifier": "identity",
      "ServerToken": "\(revision)", "Payload": {"Reference": {"DataURL": "identity.json",
      "ContentType": "application/json"}}}
      """
    let declarations = """
      [{"Type": "com.apple.activation.simple", "Identifier": "on", "ServerToken": "1",
      "Payload": {"StandardConfigurations": ["landmarks"]}},
      {"Type": "com.apple.configuration.app.managed", "Identifier": "landmarks",
      "ServerToken": "1", "Payload": {"BundleID": "com.contoso.landmarks",
      "AppConfig": {"DataAssetReference": "list", "Identities": \(identities)}}},
      {"Type": "com.apple.asset.data", "Identifier": "list", "ServerToken": "1",
      "Payload": {"Reference": {"DataURL": "list.plist", "ContentType": "application/plist"}}}
      \(identity == nil ? "" : "," + asset)]
      """
    var files = [
      "all.json": declarations,
      "list.plist": """
      <?xml version="1.0"?><plist version="1.0"><dict><key>resources</key>
      <string>\(place)</string></dict></plist>
      """,
    ]
    files["identity.json"] = identity?.json
    return DeclarationSet(
      DeclarationFolder(name: "folder", files: files.mapValues { Array($0.utf8) }))
  }

  static func acme(_ bits: Int) -> (type: String, json: String) {
    (
      "acme",
      """
      {"DirectoryURL": "https://ca.contoso.com", "ClientIdentifier": "c", "KeySize": \(bits),
      "KeyType": "ECSECPrimeRandom", "HardwareBound": \(bits != 521), "Subject": [[["CN", "phone"]]]}
      """
    )
  }

  static let scep = (
    type: "scep",
    json: #"{"URL": "https://ca.contoso.com", "Keysize": 2048, "Subject": [[["CN", "phone"]]]}"#
  )

  static func pkcs12(_ file: String) -> (type: String, json: String) {
    let text = file.filter { !$0.isWhitespace }
    return ("identity", #"{"Password": "\#(PKCS12Samples.password)", "Identity": "\#(text)"}"#)
  }

  // MARK: what came of it

  func file(_ name: String) -> String? {
    try? String(contentsOfFile: device.containerPath(of: "landmarks") + "/\(name)", encoding: .utf8)
  }

  /// Waits until Landmarks has fetched, or failed to.
  ///
  /// - Returns: what it says of that.
  func status() -> String {
    lab.wait("Landmarks") { file("resources.status") != nil }
    return file("resources.status") ?? ""
  }

  /// Waits for somebody to come to the server.
  func requests() -> [String] {
    var found: [String]?
    guard device.servers.nextRequests(of: "resources", { found = $0 }) else { return ["no server"] }
    lab.wait("a request") { found != nil }
    return found ?? []
  }

  /// The key that the device has for Landmarks.
  var identity: CertifiedKey? { device.management.managedIdentities.identities.values.first }
}
