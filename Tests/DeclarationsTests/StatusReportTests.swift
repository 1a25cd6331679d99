import Bundle
import Declarations
import Encodings
import Foundation
import Predicates
import TestSupport
import Testing

/// Tests a device's report in Apple's form, and the shipped example folder.
struct StatusReportTests {
  typealias Given = ManagedDeliveryTests

  static let items = StatusItems([
    "device.model.family": .string("iPhone"),
    "device.operating-system.version": .string("18.4"),
    "device.power.battery-health": .string("normal"),
  ])

  static func report(
    _ set: DeclarationSet, _ programs: [InstalledProgram] = Given.programs,
    feedback: [String: DeclarationState.Validity] = [:]
  ) throws -> JSONValue {
    let delivery = ManagedDelivery(set, items: items, programs: programs)
    let report = StatusReport(delivery, items: items, feedback: feedback)
    return try JSONReader.read(JSONWriter.text { report.write(to: &$0) })
  }

  static let subscriptions = Folder.declaration(
    "configuration.management.status-subscriptions", "subs",
    """
    {"StatusItems": [{"Name": "device.model.family"}, {"Name": "app.managed.list"},
     {"Name": "passcode.is-present"}]}
    """)

  @Test func `the status report lists declarations by kind`() throws {
    let report = try Self.report(Given.set())
    let declarations = report["StatusItems"]?["management"]?["declarations"]
    #expect(
      declarations?.members?.map(\.name) == [
        "activations", "assets", "configurations", "management",
      ])
    let app = declarations?["configurations"]?.array?.first
    #expect(app?.members?.map(\.name) == ["active", "identifier", "server-token", "valid"])
    #expect(app?["identifier"]?.string == "app" && app?["active"]?.bool == true)
    #expect(app?["server-token"]?.string == "1" && app?["valid"]?.string == "valid")
    let unused = declarations?["assets"]?.array?.last
    #expect(unused?["active"]?.bool == false)
    let reason = unused?["reasons"]?.array?.first
    #expect(reason?["code"]?.string == "Info.NotReferencedByConfiguration")
    #expect(reason?["details"]?["Identifier"]?.string == "unused")
    #expect(reason?["details"]?["ServerToken"]?.string == "1")
    #expect(report["Errors"]?.array?.isEmpty == true)
    #expect(report["FullReport"]?.bool == true)
  }

  @Test func `the status report lists the device's capabilities`() throws {
    let report = try Self.report(DeclarationSet())
    let capabilities = report["StatusItems"]?["management"]?["client-capabilities"]
    let types = capabilities?["supported-payloads"]?["declarations"]
    #expect(
      types?["management"]?.array?.compactMap(\.string) == [
        "com.apple.management.organization-info", "com.apple.management.properties",
        "com.apple.management.server-capabilities",
      ])
    #expect(
      capabilities?["supported-payloads"]?["status-items"]?.array?.compactMap(\.string).contains(
        "device.model.family") == true)
  }

  @Test func `only subscribed status items are reported`() throws {
    let none = try Self.report(Given.set())
    #expect(none["StatusItems"]?.members?.map(\.name) == ["management"])
    let set = Given.set(
      Given.declarations + [Self.subscriptions, Folder.activation("subs-on", "subs")])
    let report = try Self.report(set, feedback: ["com.contoso.mail": .invalid])
    let items = report["StatusItems"]
    #expect(items?.members?.map(\.name) == ["app", "device", "management"])
    #expect(items?["device"]?["model"]?["family"]?.string == "iPhone")
    #expect(items?["device"]?["operating-system"] == nil)
    let app = items?["app"]?["managed"]?["list"]?.array?.first
    #expect(app?["identifier"]?.string == "com.contoso.mail")
    #expect(app?["declaration-identifier"]?.string == "app" && app?["state"]?.string == "managed")
    let states = app?["config-state"]
    #expect(states?["app-config-state"]?["state"]?.string == "invalid")
    #expect(
      states?["extension-config-state"]?["com.contoso.mail.share"]?["state"]?.string == "unknown")
    let errors = report["Errors"]?.array
    #expect(errors?.map { $0["StatusItem"]?.string } == ["passcode.is-present"])
    #expect(errors?.first?["Reasons"]?.array?.first?["Code"]?.string != nil)
  }

  @Test func `an app copy that cannot be managed has the state "failed" in status reports`() throws
  {
    let set = Given.set(
      Given.declarations + [Self.subscriptions, Folder.activation("subs-on", "subs")])
    let report = try Self.report(set, [Folder.app("com.contoso.mail", management: .refused)])
    let app = report["StatusItems"]?["app"]?["managed"]?["list"]?.array?.first
    #expect(app?["state"]?.string == "failed" && app?["config-state"] == nil)
    #expect(app?["reasons"]?.array?.first?["code"]?.string == "Error.UnmanagedAppAlreadyInstalled")
  }

  @Test func `missing declarations are reported by name`() throws {
    let report = try Self.report(Given.set([Folder.activation("on", "x", "y", "x")], [:]))
    let activation =
      report["StatusItems"]?["management"]?["declarations"]?["activations"]?.array?.first
    let reason = activation?["reasons"]?.array?.first
    #expect(reason?["code"]?.string == "Error.MissingConfigurations")
    #expect(
      reason?["details"]?["ConfigurationIdentifiers"]?.array?.compactMap(\.string) == ["x", "y"])
  }

  @Test func `the documented example of declarations delivers its configuration and secrets`()
    throws
  {
    let folder = try DeclarationFolder(at: Repository.path("examples/declarations/landmarks"))
    let set = DeclarationSet(folder)
    #expect(set.problems.isEmpty)
    let landmarks = ComposedIdentifier(bundle: "com.contoso.landmarks", team: "CONTOSO123")
    let widget = ComposedIdentifier(bundle: "com.contoso.landmarks.widget", team: "CONTOSO123")
    let programs = [
      InstalledProgram(landmarks, .app),
      InstalledProgram(widget, .appExtension(app: "com.contoso.landmarks")),
    ]
    let delivery = ManagedDelivery(set, items: Self.items, programs: programs)
    #expect(delivery.problems.isEmpty)
    #expect(delivery.states.allSatisfy { $0.isActive && $0.validity == .valid })
    let content = try #require(delivery[landmarks])
    let list = try #require(content.configuration)
    let values = try PropertyListSerialization.propertyList(from: Data(list.value), format: nil)
    #expect((values as? [String: Any])?["collection"] != nil)
    #expect(content.legacyConfiguration == list)
    #expect(content.passwords.map(\.identifier) == ["classroom"])
    #expect(content.certificates.map(\.identifier) == ["server"])
    guard case .acme(let enrollment) = content.identities.first?.value else {
      Issue.record("expected an identity by ACME")
      return
    }
    #expect(enrollment.binding == .attestedHardware && enrollment.key == .p256)
    #expect(delivery[widget]?.configuration == list)
    #expect(delivery.restrictions.requireManagedPasteboard == true)
  }

  /// For any bytes in a folder, each declaration is either valid or invalid, and the report is
  /// JSON.
  @Test func `damaged folders of declarations are read or rejected without a crash`() throws {
    let folder = try DeclarationFolder(at: Repository.path("examples/declarations/landmarks"))
    let paths = folder.files.keys.sorted()
    var random = SeededGenerator(seed: 11)
    var damaged = 0
    for _ in 0..<300 {
      var files = folder.files
      let path = try #require(paths.randomElement(using: &random))
      var bytes = try #require(files[path])
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default:  // open: the last of the numbers
          bytes.insert(contentsOf: Array("\"}],[{:0-".utf8), at: place)
        }
      }
      files[path] = bytes
      let set = DeclarationSet(DeclarationFolder(name: "d", files: files))
      damaged += set.problems.isEmpty ? 0 : 1
      let report = try Self.report(set)
      #expect(report["StatusItems"] != nil)
    }
    #expect(damaged > 200)
  }
}
