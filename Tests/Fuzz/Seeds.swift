import Model
import Wire

/// Initial streams. They have every kind of message with a complex encoding.
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
    .failed(why: "no"),
    .share(
      Share(
        destination: "notes", item: item, via: .os, way: .openIn, claimedSource: "mail",
        isPosted: true)),
    .import(source: "notes", via: .os), .copy(item),
    .openURL(OpenURL("note://1", isKnownManagedScheme: true)),
    .use(
      SystemHandOff(channel: "saveTo", location: "box", account: "anna@contoso.com", item: item)),
    .airDrop(AirDrop(item, to: "ben-phone", via: .os)), .openReceived(carrier: "mail"),
    .callExtension(ExtensionCall("vpn", with: item)), .canReceive(item),
    .unlock(Unlock(pin: "2580", setsPIN: true)),
    .keychainAdd(key, value: [1]), .keychainQuery(key), .keychainDelete(key),
    .signIn(account: "ann"), .signOut(account: "ann"),
    .switchIdentity(SwitchIdentity(account: nil, level: .window("w"), others: ["bob"])),
    .openFile(OpenFile(FileReference("a/b", group: "group"), mode: .truncate, owner: "ann")),
    .moveFile(FileReference("a"), to: FileReference("b", group: "group")),
    .removeFile(FileReference("a")), .protectData(account: "ann"),
    .unprotectData(header: [1, 2, 3]), .delegateAnswer(ask: 2, isSuccess: true),
    .completeExtension([item, item]), .cancelExtension(why: "no"), .provided(ask: 1, item),
    .identitySwitchAnswer(ask: 1, isSuccess: true), .performed(ask: 1, failure: "no", found: [1]),
    .provideProgress(ask: 1, fraction: .nan),
  ]

  private static let hostBodies: [HostMessage.Body] = [
    .welcome(Welcome(guest: "mail", app: "com.contoso.mail", device: "phone")),
    .rejected(reason: "no"), .loadProgress(.nan),
    .outcome(
      RequestOutcome(
        verdict: .encrypted, end: .refused,
        reasons: [OutcomeReason(rule: "rule", side: "sender", setting: "setting")], status: -25300,
        items: [item],
        file: FileGrant(
          ownerUPN: "ann", isManaged: true, key: [1, 2], header: [3], isAsAsked: true))),
    .delivery(Delivery(sequence: 1, item: item, sender: "mail", isEncrypted: true)),
    .openedURL(sequence: 2, url: "note://1", sender: "mail", account: "ann"),
    .provideItem(ask: 3, requester: "x"),
    .identitySwitchRequired(ask: 4, account: "ann", reason: "openURL"),
    .identityChanged(IdentityChange(account: nil, isManaged: true, level: .process)), .stop,
    .delegateCall(ask: 6, .wipe, account: "ann"), .notice("policyDidChange", account: "ann"),
    .perform(
      ask: 5, .ask(GuestMessage(request: 1, .copy(item), task: TaskContext(thread: "ann"))),
      Behaviour(provides: item, acceptsIdentitySwitch: true, wipe: .lie)),
    .perform(
      ask: 7, .work(FileWork(.protect, FileReference("a"), owner: "ann"), task: nil),
      Behaviour()),
  ]
}
