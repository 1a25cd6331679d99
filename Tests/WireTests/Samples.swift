import Transfer
import Wire

/// One of everything that goes over the wire, with every field set and with none.
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
    handshakes + transfers + extensions + accounts + answers

  private static let handshakes: [GuestMessage.Body] = [
    .hello(Hello(transport: 7, application: .max, claimedApp: text)),
    .hello(Hello(transport: 0, application: 0)),
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
    .copy(item), .copy(emptyItem), .paste,
    .openURL(OpenURL("https://例え.jp/?q=é", isKnownManagedScheme: true)),
    .openURL(OpenURL("", isQuestion: true)),
    .use(Use(channel: "print", account: nil, item: item)),
    .use(
      Use(channel: "saveTo", location: text, account: "", isExternalPage: true, source: text)),
    .canReceive(item),
    .unlock(Unlock(pin: text, hasBiometrics: true, hasCredentials: true, setsPIN: true)),
  ]

  private static let extensions: [GuestMessage.Body] = [
    .completeExtension(items), .completeExtension([]), .cancelExtension(why: text),
    .cancelExtension(why: ""),
  ]

  private static let key = KeychainKey(group: "group", service: text, account: "account")
  private static let emptyKey = KeychainKey(service: "", account: "")

  private static let accounts: [GuestMessage.Body] = [
    .keychainAdd(key, value: [0, 255]), .keychainAdd(emptyKey, value: []), .keychainQuery(key),
    .keychainQuery(emptyKey), .keychainDelete(key), .keychainDelete(emptyKey),
    .signIn(account: text), .signIn(account: ""), .signOut(account: text), .signOut(account: ""),
    .switchIdentity(account: text), .switchIdentity(account: ""), .switchIdentity(account: nil),
  ]

  private static let answers: [GuestMessage.Body] = [
    .provided(ask: .max, item), .provided(ask: 0, nil),
    .identitySwitchAnswer(ask: 1, isSuccess: true), .identitySwitchAnswer(ask: 0, isSuccess: false),
    .performed(ask: 300, failure: text), .performed(ask: 0, failure: nil), .log(text), .log(""),
  ]

  static let hostBodies: [HostMessage.Body] = replies + arrivals + asks + performances

  static let outcome = RequestOutcome(
    verdict: .encrypted, end: .deliveredEncrypted,
    reasons: [
      OutcomeReason(rule: "sendManagedAppsToUnmanaged", side: "sender", setting: "allowedOutbound"),
      OutcomeReason(rule: "", side: "", setting: ""),
    ], status: -25300, items: items)

  private static let replies: [HostMessage.Body] = [
    .welcome(
      Welcome(
        transport: 3, application: 4, guest: text, app: "com.contoso.mail", device: "phone",
        frameLimit: Int(UInt32.max))),
    .welcome(
      Welcome(transport: 0, application: 0, guest: "", app: "", device: "", frameLimit: 0)),
    .rejected(reason: text), .rejected(reason: ""),
    .outcome(outcome), .outcome(RequestOutcome(verdict: .blocked, end: .delivered)),
  ]

  private static let arrivals: [HostMessage.Body] = [
    .delivery(
      Delivery(
        sequence: .max, item: item, sender: text, isEncrypted: true, isExtensionRequest: true,
        isForUnmanaged: true)),
    .delivery(Delivery(sequence: 0, item: emptyItem, sender: "")),
    .openedURL(sequence: 9, url: "note://é", sender: text),
    .openedURL(sequence: 0, url: "", sender: ""),
  ]

  private static let asks: [HostMessage.Body] = [
    .provideItem(ask: 1 << 33, requester: text), .provideItem(ask: 0, requester: ""),
    .identitySwitchRequired(ask: 5, account: text, reason: "openURL"),
    .identitySwitchRequired(ask: 0, account: "", reason: ""),
    .identityChanged(account: text, isManaged: true),
    .identityChanged(account: "", isManaged: false),
    .identityChanged(account: nil, isManaged: false), .stop,
  ]

  private static let performances: [HostMessage.Body] =
    [
      .perform(ask: 8, nil, Behaviour(provides: item, acceptsIdentitySwitch: true)),
      .perform(ask: 8, nil, Behaviour(provides: emptyItem, acceptsIdentitySwitch: false)),
      .perform(ask: 0, nil, Behaviour()),
    ]
    + guestBodies.map { .perform(ask: 1, GuestMessage(request: 2, $0), Behaviour()) }
}
