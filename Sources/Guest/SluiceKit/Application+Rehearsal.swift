internal import EventLoop
internal import Wire

#if canImport(Glibc)
  internal import Glibc
#endif

extension Application {
  /// Goes through a connection with a host that is none, from its beginning over a few requests to its end, so that what a
  /// process sets up once is there in all that are forked from this one. It starts no thread and leaves nothing open.
  ///
  /// - Parameter delegate: the delegate of the rehearsal; nothing happens to it but the end.
  /// - Throws: ``ConnectionError`` where the system refuses a connection.
  package static func rehearse(
    delegate: any ApplicationDelegate
  ) throws(ConnectionError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw .noHost(String(cString: strerror(errno))) }
    defer { close(ends[1]) }
    var frames = FrameBuffer()
    let arena = Arena()
    frames.append(HostMessage(.welcome(Welcome(guest: "", app: "", device: ""))), using: arena)
    for level in [IdentityLevel.process, .mainWindow] {
      let change = IdentityChange(account: "", isManaged: false, level: level)
      frames.append(HostMessage(.identityChanged(change)), using: arena)
    }
    let item = Item(text: "")
    let requests: [GuestMessage.Body] = [
      .paste, .share(Share(destination: "", item: item)), .copy(item),
    ]
    for (index, request) in requests.enumerated() {
      let number = UInt64(index + 1)
      let instruction = Instruction.ask(GuestMessage(request))
      frames.append(HostMessage(.perform(ask: number, instruction, Behaviour())), using: arena)
      let outcome = RequestOutcome(verdict: .blocked, end: .refused)
      frames.append(HostMessage(request: number, .outcome(outcome)), using: arena)
    }
    frames.append(HostMessage(.stop), using: arena)
    _ = write(ends[1], frames.bytes.baseAddress, frames.count)
    let connection = try HostConnection(hello: Hello(), on: ends[0])
    Application(delegate: delegate, connection: connection).run()
  }
}
