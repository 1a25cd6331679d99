import Model
import Testing
import Wire

@testable import Scenario

/// Tests the requests of steps, with the names of accounts resolved.
@Suite struct StepRequestTests {
  private struct World: StepWorld {
    func accountID(_ name: String) -> String { "\(name)@contoso.com" }

    func capabilities(of guest: String) -> [String] { ["stated for \(guest)"] }

    func shareDestination(_ name: String) -> ShareDestination { .app(name) }
  }

  private static let scenario = """
    accounts: { anna: { upn: anna@contoso.com } }
    apps:
      mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true }
      viewer: { bundle: org.example.viewer }
      tunnel: { bundle: com.contoso.mail.tunnel, extension: packetTunnel, containingApp: mail }
    devices: { phone: , tablet: { apps: [] } }
    steps: [{ launch: mail, on: phone }]
    """

  static let requests: [(step: String, body: GuestMessage.Body, content: InstructedContent)] = [
    (
      "share: { from: mail, to: viewer, text: hello, via: os }",
      .share(Share(destination: "viewer", item: Item(text: "hello"), via: .os)), .stated
    ),
    (
      "share: { from: mail, to: viewer, item: received, openIn: true }",
      .share(Share(destination: "viewer", item: Item(text: ""), way: .openIn)), .received
    ),
    (
      "drop: { from: mail, to: viewer, item: retyped }",
      .share(Share(destination: "viewer", item: Item(text: ""), way: .dragAndDrop)), .retyped
    ),
    (
      "share: { from: mail, to: tunnel, items: [{ attachments: [{ representations: { public.url: a } }] }] }",
      .shareItems(
        ShareItems(
          destination: "tunnel",
          items: [
            OfferedItem(attachments: [
              OfferedAttachment(representations: [
                OfferedRepresentation(type: "public.url", content: .data(Array("a".utf8), nil))
              ])
            ])
          ])), .stated
    ),
    (
      "switchIdentity: { app: mail, to: anna, window: left }",
      .switchIdentity(SwitchIdentity(account: "anna@contoso.com", level: .window("left"))), .stated
    ),
    (
      "switchIdentity: { app: mail, to: unknown, process: true }",
      .switchIdentity(SwitchIdentity(account: "", level: .process)), .stated
    ),
    (
      "unlock: { app: mail, pin: '2580' }",
      .unlock(Unlock(pin: "2580")), .stated
    ),
    (
      "remediate: { app: mail, account: anna, silent: true }",
      .remediate(account: "anna@contoso.com", isSilent: true), .stated
    ),
    (
      "saveTo: { from: mail, location: box, account: anna, text: hello }",
      .use(
        Use(
          channel: "saveTo", location: "box", account: "anna@contoso.com",
          item: Item(text: "hello"))), .stated
    ),
    (
      "saveTo: { from: mail, location: box, account: unknown, item: retyped }",
      .use(
        Use(channel: "saveTo", location: "box", account: "", item: Item(text: ""))),
      .retyped
    ),
    (
      "register: { app: mail, account: anna }", .enroll(Enroll(account: "anna@contoso.com")),
      .stated
    ),
    ("login: { app: mail }", .enroll(Enroll(account: nil, isLogin: true)), .stated),
    (
      "unenroll: { app: mail, account: anna, wipe: true }",
      .unenroll(account: "anna@contoso.com", wipes: true), .stated
    ),
    (
      "acquireToken: { app: mail, account: anna, resource: r }",
      .acquireToken(
        AcquireToken(
          account: "anna@contoso.com", resource: "r", capabilities: ["stated for mail"])), .stated
    ),
    (
      "acquireToken: { app: mail, account: anna, resource: r, capabilities: [] }",
      .acquireToken(AcquireToken(account: "anna@contoso.com", resource: "r")), .stated
    ),
    (
      "import: { into: viewer, from: mail, via: os }", .import(source: "mail", via: .os), .stated
    ),
    ("use: { app: mail, feature: print }", .use(Use(channel: "print")), .stated),
    (
      "readContacts: { into: viewer, from: mail }",
      .use(Use(channel: "contactRead", source: "mail")), .stated
    ),
    (
      "openURL: { from: mail, url: 'note:1', knownManagedScheme: true }",
      .openURL(OpenURL("note:1", isKnownManagedScheme: true)), .stated
    ),
    (
      "openURL: { from: mail, url: 'https://example.org/', universalLinksOnly: true }",
      .openURL(OpenURL("https://example.org/", isUniversalLinkOnly: true)), .stated
    ),
    (
      "callExtension: { app: mail, extension: tunnel, text: connect }",
      .callExtension(ExtensionCall("tunnel", with: Item(text: "connect"))), .stated
    ),
    (
      "airDrop: { from: mail, to: tablet, item: received, via: os }",
      .airDrop(AirDrop(Item(text: ""), to: "tablet", via: .os)), .received
    ),
    (
      "openReceived: { into: viewer, from: mail }", .openReceived(carrier: "mail"), .stated
    ),
    (
      "copy: { app: mail, text: hello, localOnly: true }", .copy(Item(text: "hello"), .local),
      .stated
    ),
    ("paste: { app: mail }", .paste, .stated),
    (
      "keychainAdd: { app: mail, service: s, account: a, value: secret }",
      .keychainAdd(KeychainKey(service: "s", account: "a"), value: Array("secret".utf8)), .stated
    ),
    (
      "keychainQuery: { app: mail, group: g, service: s, account: a }",
      .keychainQuery(KeychainKey(group: "g", service: "s", account: "a")), .stated
    ),
    (
      "keychainDelete: { app: mail, service: s, account: a }",
      .keychainDelete(KeychainKey(service: "s", account: "a")), .stated
    ),
    (
      "request: { app: mail, name: sign_in, fields: { account: ann } }", .signIn(account: "ann"),
      .stated
    ),
    (
      "fileInfo: { app: mail, path: a.txt }",
      .openFile(.question(about: FileReference("a.txt"))), .stated
    ),
    (
      "moveFile: { app: mail, path: a.txt, to: b.txt }",
      .moveFile(FileReference("a.txt"), to: FileReference("b.txt")), .stated
    ),
    (
      "removeFile: { app: mail, path: a.txt }", .removeFile(FileReference("a.txt")), .stated
    ),
  ]

  /// The steps that ask for work on a file or for an act of the user.
  static let others: [(step: String, request: StepRequest)] = [
    (
      "writeFile: { app: mail, path: a.txt, text: hello }",
      .work(
        FileWork(.write, FileReference("a.txt"), content: Array("hello".utf8)), .stated)
    ),
    (
      "appendFile: { app: mail, path: a.txt, item: retyped }",
      .work(FileWork(.append, FileReference("a.txt")), .retyped)
    ),
    (
      "readFile: { app: mail, path: a.txt }",
      .work(FileWork(.read, FileReference("a.txt")), .stated)
    ),
    (
      "protectFile: { app: mail, path: a.txt, owner: anna }",
      .work(FileWork(.protect, FileReference("a.txt"), owner: "anna@contoso.com"), .stated)
    ),
    (
      "protectData: { app: mail, path: a.txt, text: hello, owner: unset }",
      .work(
        FileWork(.protectData, FileReference("a.txt"), content: Array("hello".utf8)), .stated)
    ),
    (
      "unprotectData: { app: mail, path: a.txt }",
      .work(FileWork(.unprotectData, FileReference("a.txt")), .stated)
    ),
    ("tap: { app: mail, button: OK }", .act(.tap(button: "OK", title: nil))),
    ("chooseActivity: { app: mail, to: viewer }", .act(.choose(.app("viewer")))),
    (
      "pickDocument: { app: mail, location: oneDriveForBusiness, account: anna }",
      .act(.pick(PickedDocument(location: .oneDriveForBusiness, account: "anna@contoso.com")))
    ),
    ("cancel: mail", .act(.cancel)),
  ]

  private static func action(_ step: String) throws -> Action {
    try StepReader(try Scenario.read(scenario, file: "test.yaml"))
      .step(yaml: "{ \(step), on: phone }").step.action
  }

  @Test(arguments: requests)
  func `a step is converted to the request that its app makes`(
    step: String, body: GuestMessage.Body, content: InstructedContent
  ) throws {
    #expect(try Self.request(of: step) == StepRequest(body, content))
  }

  @Test(arguments: others)
  func `file steps and user action steps are converted to the expected requests`(
    step: String, request: StepRequest
  )
    throws
  {
    #expect(try Self.request(of: step) == request)
  }

  private static func request(of step: String) throws -> StepRequest {
    try #require(try action(step).detail as? any RequestStep).request(in: World())
  }

  @Test func `two different steps never have equal actions`() throws {
    let actions = try Self.requests.map { try Self.action($0.step) }
    for (one, action) in actions.enumerated() {
      for (other, second) in actions.enumerated() {
        #expect((action == second) == (one == other))
      }
    }
  }
}
