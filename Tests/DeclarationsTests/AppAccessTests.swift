import Declarations
import TestSupport
import Testing

/// Tests the apps that `com.apple.configuration.app.settings` allows a device to launch.
struct AppAccessTests {
  /// Returns an active set of these declarations. Their identifiers are `a`, `b`, and so on.
  private static func set(_ payloads: [String]) -> DeclarationSet {
    let names = payloads.indices.map { String(UnicodeScalar(UInt8(97 + $0))) }
    let list = names.map { #""\#($0)""# }.joined(separator: ", ")
    let declarations =
      [Folder.declaration("activation.simple", "on", #"{"StandardConfigurations": [\#(list)]}"#)]
      + zip(names, payloads).map { Folder.declaration("configuration.app.settings", $0, $1) }
    return DeclarationSet(
      Folder.folder(["all.json": "[" + declarations.joined(separator: ",\n") + "]"]))
  }

  private static func delivery(_ set: DeclarationSet) -> ManagedDelivery {
    ManagedDelivery(set, items: StatusItems([:]), programs: [])
  }

  private static func lists(allowed: [String]?, denied: [String]?) -> String {
    let list = { (key: String, names: [String]?) in
      names.map { #""\#(key)": [\#($0.map { "\"\($0)\"" }.joined(separator: ", "))]"# }
    }
    let lists = [list("AllowedApps", allowed), list("DeniedApps", denied)].compactMap(\.self)
    return #"{"Allowed": {\#(lists.joined(separator: ", "))}}"#
  }

  @Test func `the ban on an app names the responsible declaration and list`() {
    let access = Self.delivery(
      Self.set([
        Self.lists(allowed: ["mail", "notes"], denied: nil),
        Self.lists(allowed: ["mail", "viewer"], denied: ["viewer"]),
      ])
    ).appAccess
    #expect(access.ban(on: "mail") == nil)
    #expect(access.ban(on: "notes") == .notAllowed(by: "b"))
    #expect(access.ban(on: "viewer") == .notAllowed(by: "a"))
    #expect(access.ban(on: "game") == .notAllowed(by: "a"))
    let denied = Self.delivery(Self.set([Self.lists(allowed: nil, denied: ["game"])])).appAccess
    #expect(denied.ban(on: "game") == .denied(by: "a"))
    #expect(denied.ban(on: "mail") == nil)
    #expect(denied.ban(on: "game")?.description == "the declaration `a` denies it (`DeniedApps`)")
  }

  /// In Apple's schema, `combinetype` is `set-intersection` for `AllowedApps` and `set-union` for
  /// `DeniedApps`.
  @Test(arguments: 0..<200)
  func `the app lists of several declarations combine as documented in Apple's schema`(seed: UInt64)
  {
    var random = SeededGenerator(seed: seed)
    let apps = ["a", "b", "c", "d"]
    let draw = { (random: inout SeededGenerator) -> [String]? in
      Bool.random(using: &random) ? apps.filter { _ in Bool.random(using: &random) } : nil
    }
    var payloads: [String] = []
    var allowed = Set(apps)
    var denied: Set<String> = []
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let lists = (allowed: draw(&random), denied: draw(&random))
      payloads.append(Self.lists(allowed: lists.allowed, denied: lists.denied))
      if let list = lists.allowed { allowed.formIntersection(list) }
      denied.formUnion(lists.denied ?? [])
    }
    let access = Self.delivery(Self.set(payloads)).appAccess
    for app in apps {
      #expect((access.ban(on: app) == nil) == (allowed.contains(app) && !denied.contains(app)))
    }
  }

  @Test func `a deny list in a configuration without an activation has no effect`() {
    let set = Folder.set(
      Folder.declaration(
        "configuration.app.settings", "a", Self.lists(allowed: [], denied: ["mail"])))
    #expect(set.problems.isEmpty)
    #expect(Self.delivery(set).appAccess.ban(on: "mail") == nil)
  }

  /// These keys are also in Apple's examples. On an iPhone, default permissions have no effect
  /// here, and rules for binaries and `AlwaysAllowManagedApps` are for macOS.
  @Test(arguments: [
    (
      #"{"Privacy": {"PermissionDefaults": {"com.example.scanner": {"OrganizationJustification": "Scanning", "Camera": "Allow", "Location": "WhileUsing", "LocationAccuracy": "Precise"}}}}"#,
      []
    ),
    (
      #"{"Privacy": {"PermissionDefaults": {"com.example.scanner": {"Camera": "Always"}}}}"#,
      [
        "`Privacy.PermissionDefaults.com.example.scanner.OrganizationJustification` is missing",
        "Camera",
      ]
    ),
    (
      #"{"Allowed": {"AllowedBinaries": [{"TeamID": "*APPLE*", "SigningID": "com.apple.iCal"}]}}"#,
      ["`AllowedBinaries` is for macOS only"]
    ),
    (
      #"{"Allowed": {"DeniedBinaries": [{"CDHash": "90bc96cd95be55c12e7d9b1611cbc677610bb70c"}]}}"#,
      ["`DeniedBinaries` is for macOS only"]
    ),
    (
      #"{"Allowed": {"AlwaysAllowManagedApps": true, "AllowedApps": []}}"#,
      ["`AlwaysAllowManagedApps` is for macOS only"]
    ),
    (#"{"Allowed": {"AllowedApps": "com.example.app"}}"#, ["AllowedApps"]),
    (#"{"Allowed": {"DeniedApps": [{"AppIdentifier": "com.example.app"}]}}"#, ["DeniedApps"]),
  ])
  func `a payload that violates the schema makes its declaration invalid`(
    payload: String, errors: [String]
  ) {
    let set = Self.set([payload])
    let found = set.problems.filter { $0.severity == .error }
    #expect(found.count == errors.count)
    for error in errors { #expect(found.contains { $0.message.contains(error) }) }
    let delivery = Self.delivery(set)
    #expect(delivery.appAccess.ban(on: "com.example.app") == nil)
    #expect(
      delivery.states.first { $0.identifier == "a" }?.validity
        == (errors.isEmpty ? .valid : .invalid))
  }
}
