import Model
import Wire

/// Initial streams: every message, with every field set and with none, and those whose encoding depends
/// on other values.
enum Seeds {
  static let all: [[UInt8]] =
    (MessageSamples.guest + guestBodies).map(frame) + (MessageSamples.host + hostBodies).map(frame)

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

  private static let guestBodies: [GuestMessage.Body] = [
    .switchIdentity(SwitchIdentity(account: nil, level: .window("w"), others: ["bob"])),
    .provideProgress(ask: 1, fraction: .nan),
  ]

  private static let hostBodies: [HostMessage.Body] = [
    .loadProgress(.nan),
    .identityChanged(IdentityChange(account: nil, isManaged: true, level: .process)),
    .perform(
      ask: 5,
      .ask(GuestMessage(request: 1, .copy(Item(text: "x")), task: TaskContext(thread: "ann"))),
      Behaviour(acceptsIdentitySwitch: true, wipe: .lie)),
    .perform(
      ask: 7, .work(FileWork(.protect, FileReference("a"), owner: "ann"), task: nil),
      Behaviour()),
  ]
}
