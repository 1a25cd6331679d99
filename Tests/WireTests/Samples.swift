import Model
import Wire

/// Samples of every message of the protocol: samples made from the descriptor, and samples with values that matter to a
/// message.
enum Samples {
  static let text = "naïve 日本 😀\u{301}"

  static let tag = OwnershipTag(
    ownerUPN: "jörg@contoso.com", ownerObjectID: "11111111-2222", ownerTenantID: "tenant",
    isManaged: true, originApp: "com.contoso.mail", device: "phone", sequence: 1 << 40 + 7,
    seal: Array(0..<32))

  static let emptyTag = OwnershipTag(
    ownerUPN: "", ownerObjectID: "", ownerTenantID: "", isManaged: false, originApp: "", device: "",
    sequence: 0, seal: [])

  static let item = Item(
    type: "public.png", name: text, payload: .inline([0, 1, 0xFF, 0]), tag: tag)

  static let emptyItem = Item(type: "", payload: .inline([]))

  static let items = [item, emptyItem, Item(text: text)]

  static let guestBodies: [GuestMessage.Body] =
    MessageSamples.guest + handshakes + transfers + extensions + accounts + answers + managedApp

  private static let managedApp: [GuestMessage.Body] = [
    .managedApp(.configuration), .managedApp(.legacyConfiguration),
    .managedApp(.identifiers(.password)), .managedApp(.identifiers(.identity)),
    .managedApp(.secret(.certificate, identifier: text)),
    .managedApp(.secret(.password, identifier: "")),
    .managedApp(.sign(identifier: text, .rsaSignatureMessagePSSSHA256, [0, 255])),
    .managedApp(.sign(identifier: "", .ecdsaSignatureMessageX962SHA256, [])),
    .managedApp(.decoded), .managedApp(.decodingFailed(code: .min, message: text)),
    .managedApp(.decodingFailed(code: 0x7000_0000, message: "")),
  ]

  private static let handshakes: [GuestMessage.Body] = [
    .hello(Hello(transport: 7, application: .max, claimedApp: text)),
    .hello(Hello(transport: 0, application: 0)), .hello(Hello(takesMemory: true)),
    .release(offset: 0), .release(offset: 1 << 40),
    .acknowledge(through: .max), .acknowledge(through: 0),
  ]

  private static let transfers: [GuestMessage.Body] = [
    .share(
      Share(
        destination: text, item: item, via: .os, way: .openIn, claimedSource: "com.other",
        isPosted: true)),
    .share(Share(destination: "", item: emptyItem)),
    .share(Share(destination: "x", item: Item(type: "t", payload: .inline([1]), tag: emptyTag))),
    .import(source: text, via: .os), .import(source: "", via: .sdk),
    .copy(item), .copy(emptyItem), .copy(item, .local), .paste,
    .use(Use(channel: "mailComposer", item: item, device: "ben-phone")),
    .airDrop(AirDrop(item, to: "ben-phone", via: .os)), .airDrop(AirDrop(nil, to: text)),
    .openReceived(carrier: "mail"), .openReceived(carrier: ""),
    .callExtension(ExtensionCall(text, with: item)),
    .callExtension(ExtensionCall("", with: emptyItem)),
    .openURL(OpenURL("https://例え.jp/?q=é", isKnownManagedScheme: true)),
    .openURL(OpenURL("", isQuestion: true)),
    .openURL(OpenURL("https://example.org/", isUniversalLinkOnly: true)),
    .use(Use(channel: "print", account: nil, item: item)),
    .use(
      Use(
        channel: "saveTo", location: text, account: "", isExternalPage: true, source: text,
        extensionID: text)),
    .canReceive(item),
    .unlock(Unlock(pin: text, hasBiometrics: true, hasCredentials: true, setsPIN: true)),
  ]

  private static let extensions: [GuestMessage.Body] = [
    .shareItems(ShareItems(destination: text, items: offers, via: .os)),
    .shareItems(ShareItems(destination: "", items: [])),
    .loadItem(RepresentationReference(item: 1, attachment: 63, type: text)),
    .loadItem(RepresentationReference(item: 0, attachment: 0, type: "")),
    .cancelLoad(.max), .provideProgress(ask: .max, fraction: 0.25),
    .completeExtension(items), .completeExtension([]), .cancelExtension(why: text),
    .cancelExtension(why: ""),
  ]

  static let offers = [
    OfferedItem(
      title: text, contentText: "two\nlines",
      attachments: [
        OfferedAttachment(
          suggestedName: "a.png",
          representations: [
            OfferedRepresentation(type: "public.png", content: .data([0, 255], tag)),
            OfferedRepresentation(type: "public.jpeg", content: .data([], nil)),
            OfferedRepresentation(type: text, content: .promised),
          ]),
        OfferedAttachment(representations: []),
      ]),
    OfferedItem(),
  ]

  private static let key = KeychainKey(group: "group", service: text, account: "account")
  private static let emptyKey = KeychainKey(service: "", account: "")

  private static let accounts: [GuestMessage.Body] = [
    .keychainAdd(key, value: [0, 255]), .keychainAdd(emptyKey, value: []), .keychainQuery(key),
    .keychainQuery(emptyKey), .keychainDelete(key), .keychainDelete(emptyKey),
    .enroll(Enroll(account: text, isLogin: true)), .enroll(Enroll(account: nil)),
    .enroll(Enroll(account: "")),
    .unenroll(account: text, wipes: true), .unenroll(account: "", wipes: false),
    .acquireToken(AcquireToken(account: text, resource: text, capabilities: ["ProtApp", ""])),
    .acquireToken(AcquireToken(account: "", resource: "")),
    .remediate(account: text, isSilent: true), .remediate(account: "", isSilent: false),
    .signIn(account: text), .signIn(account: ""), .signOut(account: text), .signOut(account: ""),
    .switchIdentity(SwitchIdentity(account: text)), .switchIdentity(SwitchIdentity(account: "")),
    .switchIdentity(SwitchIdentity(account: nil, level: .process)),
    .switchIdentity(SwitchIdentity(account: text, level: .window(text), others: [text, ""])),
    .openFile(OpenFile(FileReference(text, group: text), mode: .truncating, owner: text)),
    .openFile(.question(about: FileReference([0xFF, 0x2F]))),
    .openFile(OpenFile(FileReference("a"), mode: .creating, owner: "")),
    .openFile(OpenFile(FileReference("a"), mode: .updating)),
    .moveFile(FileReference(text), to: FileReference("b", group: text)),
    .removeFile(FileReference([0x80])), .protectData(account: text),
    .unprotectData(header: [1, 0, 2]), .unprotectData(header: []),
    .delegateAnswer(ask: 7, isSuccess: true), .delegateAnswer(ask: 0, isSuccess: false),
  ]

  private static let answers: [GuestMessage.Body] = [
    .provided(ask: .max, item), .provided(ask: 0, nil),
    .identitySwitchAnswer(ask: 1, isSuccess: true), .identitySwitchAnswer(ask: 0, isSuccess: false),
    .performed(ask: 300, failure: text), .performed(ask: 0, failure: nil, found: [0, 1]),
    .log(text), .log(""), .failed(why: text), .failed(why: ""),
  ]

  static let hostBodies: [HostMessage.Body] =
    MessageSamples.host + replies + arrivals + asks + performances + configurations

  private static let configurations: [HostMessage.Body] = [
    .appConfiguration(
      ConfigurationNews(
        account: text, objectID: "1111", dictionaries: Array("[{\"a\":1}]".utf8),
        isChange: true)),
    .appConfiguration(ConfigurationNews(account: "", dictionaries: [])),
    .perform(
      ask: 3,
      .look(ConfigurationQuestion(account: text, key: text, type: .boolean, query: .and)),
      Behaviour()),
    .perform(ask: 3, .look(ConfigurationQuestion(account: "", key: "")), Behaviour()),
  ]

  static let outcome = RequestOutcome(
    verdict: .encrypted, end: .deliveredEncrypted,
    reasons: [
      OutcomeReason(rule: "sendManagedAppsToUnmanaged", side: "sender", setting: "allowedOutbound"),
      OutcomeReason(rule: "", side: "", setting: ""),
    ], status: -25300, items: items)

  private static let grants = [
    FileGrant(
      ownerUPN: text, ownerObjectID: text, ownerTenantID: text, isManaged: true, key: [0, 255],
      header: [1], isAsAsked: true),
    FileGrant(),
  ]

  private static let replies: [HostMessage.Body] =
    grants.map { .outcome(RequestOutcome(verdict: .allowed, end: .delivered, file: $0)) }
    + plainReplies

  private static let plainReplies: [HostMessage.Body] = [
    .welcome(
      Welcome(
        transport: 3, application: 4, guest: text, app: "com.contoso.mail", device: "phone",
        frameLimit: Int(UInt32.max), seed: .max, time: 1_767_225_600,
        configurations: [
          ConfigurationNews(account: text, objectID: "1", dictionaries: [0x5B, 0x5D]),
          ConfigurationNews(account: "", dictionaries: []),
        ], opensContent: true, managedConfiguration: [0x3C])),
    .welcome(
      Welcome(transport: 0, application: 0, guest: "", app: "", device: "", frameLimit: 0)),
    .rejected(reason: text), .rejected(reason: ""),
    .outcome(
      RequestOutcome(verdict: .blocked, end: .refused, status: -50004, homeAccount: text)),
    .enrollmentNotice(
      EnrollmentNotice(request: "policy", account: text, objectID: text, status: 205)),
    .enrollmentNotice(EnrollmentNotice(request: "", account: "", objectID: "", status: 0)),
    .complianceNotice(ComplianceNotice(account: text, status: 1, title: text, message: text)),
    .complianceNotice(ComplianceNotice(account: "", status: 0, title: "", message: "")),
    .enrolledAccounts(
      EnrolledAccounts(
        registered: [text, ""], enrolled: [text], remediating: [text], managed: [text, "b"],
        pinRequired: [text], allowedUPN: text, allowedObjectID: text, mdmEnrolled: text,
        names: [AccountNames(upn: text, objectID: ""), AccountNames(upn: "", objectID: text)])),
    .enrolledAccounts(EnrolledAccounts()),
    .outcome(outcome), .outcome(RequestOutcome(verdict: .blocked, end: .delivered)),
  ]

  private static let arrivals: [HostMessage.Body] = [
    .delivery(
      Delivery(
        sequence: .max, item: item, sender: text, isEncrypted: true, isForUnmanaged: true)),
    .delivery(Delivery(sequence: 0, item: emptyItem, sender: "")),
    .extensionRequest(ExtensionRequest(items: offers, sender: text)),
    .extensionRequest(ExtensionRequest(items: [], sender: "")), .loadProgress(0.5),
    .extensionRequest(
      ExtensionRequest(
        items: offers, sender: text,
        openIn: OpenInPlace(group: text, scheme: "notes-intunemam", mark: ""))),
    .provideRepresentation(
      ask: 7, share: .max, RepresentationReference(item: 2, attachment: 1, type: text)),
    .cancelProvide(ask: .max),
    .openedURL(sequence: 9, url: "note://é", sender: text, account: text),
    .openedURL(sequence: 0, url: "", sender: "", account: ""),
  ]

  private static let asks: [HostMessage.Body] = [
    .provideItem(ask: 1 << 33, requester: text), .provideItem(ask: 0, requester: ""),
    .identitySwitchRequired(ask: 5, account: text, reason: "openURL"),
    .identitySwitchRequired(ask: 0, account: "", reason: ""),
    .identityChanged(IdentityChange(account: text, isManaged: true)),
    .identityChanged(IdentityChange(account: "", isManaged: false, level: .process)),
    .identityChanged(IdentityChange(account: nil, isManaged: false, level: .window(text))), .stop,
    .delegateCall(ask: 1, .wipe, account: text), .delegateCall(ask: 2, .add, account: ""),
    .delegateCall(ask: 3, .block, account: text), .delegateCall(ask: 4, .restart, account: ""),
    .notice("policyDidChange", account: text), .notice("", account: ""),
    .clockAdvanced(time: 1_767_225_600), .clockAdvanced(time: 0),
    .managedAppChanged(.configuration), .managedAppChanged(.identities),
    .sharedMemory(.outbox, count: 0), .sharedMemory(.inbox, count: 32 << 20),
    .release(offset: 0), .release(offset: 1 << 40),
  ]

  private static let performances: [HostMessage.Body] =
    [
      .perform(
        ask: 8, .nothing, Behaviour(provides: item, acceptsIdentitySwitch: true, wipe: .lie)),
      .perform(
        ask: 9, .nothing,
        Behaviour(
          chances: {
            var chances = Chances(
              crash: 1, hang: 10_000, hoard: 300, refuse: .max, delay: 2_000)
            chances.seed = .max
            return chances
          }())),
      .perform(
        ask: 8, .nothing,
        Behaviour(
          provides: emptyItem, acceptsIdentitySwitch: false, addsAccounts: true,
          blocksAccounts: false)),
      .perform(ask: 0, .nothing, Behaviour()),
      .perform(
        ask: 1,
        .work(
          FileWork(.protect, FileReference(text, group: text), content: [1], owner: text),
          task: TaskContext(thread: "", window: text)), Behaviour()),
      .perform(ask: 2, .work(FileWork(.read, FileReference("a")), task: nil), Behaviour()),
      .perform(ask: 6, .act([0, 1, .max]), Behaviour()),
    ]
    + guestBodies.map { .perform(ask: 1, .ask(GuestMessage(request: 2, $0)), Behaviour()) }
    + InstructedContent.allCases.flatMap { content in
      [
        .perform(
          ask: 4, .ask(GuestMessage(.copy(item), from: [1, .max]), content), Behaviour()),
        .perform(
          ask: 5, .work(FileWork(.write, FileReference("a")), task: nil, content), Behaviour()),
      ]
    }
}
