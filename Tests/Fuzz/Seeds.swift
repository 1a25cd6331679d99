import Transfer
import Wire

/// Streams from which to start: every kind of message that there is much to get wrong in.
enum Seeds {
  static let all: [[UInt8]] = guestBodies.map(frame) + hostBodies.map(frame)

  private static func frame(_ body: GuestMessage.Body) -> [UInt8] {
    var buffer = FrameBuffer()
    buffer.append(GuestMessage(request: 1, body), using: Arena())
    return Array(buffer.bytes)
  }

  private static func frame(_ body: HostMessage.Body) -> [UInt8] {
    var buffer = FrameBuffer()
    buffer.append(HostMessage(request: 1, body), using: Arena())
    return Array(buffer.bytes)
  }

  private static let item = Item(
    type: "public.png", name: "a.png", payload: .inline([1, 2, 3]),
    tag: OwnershipTag(
      ownerUPN: "ann@contoso.com", ownerObjectID: "oid", ownerTenantID: "tid", isManaged: true,
      originApp: "mail", device: "phone", sequence: 7, seal: Array(0..<32)))

  private static let key = KeychainKey(group: "group", service: "service", account: "account")

  private static let guestBodies: [GuestMessage.Body] = [
    .hello(Hello(claimedApp: "mail")), .acknowledge(through: 300), .paste, .log("text"),
    .share(
      Share(
        destination: "notes", item: item, via: .os, way: .openIn, claimedSource: "mail",
        isPosted: true)),
    .import(source: "notes", via: .os), .copy(item),
    .openURL(OpenURL("note://1", isKnownManagedScheme: true)),
    .use(Use(channel: "saveTo", location: "box", account: "anna@contoso.com", item: item)),
    .canReceive(item),
    .unlock(Unlock(pin: "2580", setsPIN: true)),
    .keychainAdd(key, value: [1]), .keychainQuery(key), .keychainDelete(key),
    .signIn(account: "ann"), .signOut(account: "ann"), .switchIdentity(account: nil),
    .completeExtension([item, item]), .cancelExtension(why: "no"), .provided(ask: 1, item),
    .identitySwitchAnswer(ask: 1, isSuccess: true), .performed(ask: 1, failure: "no"),
  ]

  private static let hostBodies: [HostMessage.Body] = [
    .welcome(Welcome(guest: "mail", app: "com.contoso.mail", device: "phone")),
    .rejected(reason: "no"),
    .outcome(
      RequestOutcome(
        verdict: .encrypted, end: .refused,
        reasons: [OutcomeReason(rule: "rule", side: "sender", setting: "setting")], status: -25300,
        items: [item])),
    .delivery(Delivery(sequence: 1, item: item, sender: "mail", isEncrypted: true)),
    .openedURL(sequence: 2, url: "note://1", sender: "mail"), .provideItem(ask: 3, requester: "x"),
    .identitySwitchRequired(ask: 4, account: "ann", reason: "openURL"),
    .identityChanged(account: nil, isManaged: true), .stop,
    .perform(
      ask: 5, GuestMessage(request: 1, .copy(item)),
      Behaviour(provides: item, acceptsIdentitySwitch: true)),
  ]
}
