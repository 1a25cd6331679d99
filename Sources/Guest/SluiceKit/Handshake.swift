internal import EventLoop
internal import Wire

/// The handshake: hello out, welcome in, before anything else.
struct Handshake {
  private(set) var early: [HostMessage] = []

  /// The host's answer to a hello.
  enum Answer {
    case welcome(Welcome)
    case rejected(reason: String)
  }

  mutating func perform(
    _ loop: EventLoop, _ pipe: Pipe, _ outgoing: inout FrameBuffer, _ parser: inout FrameParser,
    _ arena: Arena, _ memory: PayloadMemory
  ) throws(ConnectionError) -> Welcome {
    var messages: [HostMessage] = []
    var failure: String?
    var incoming = FrameParser()
    pipe.onRead = { bytes in
      do {
        try incoming.consume(bytes) { frame in
          messages.append(try memory.message(frame, from: pipe, arena: arena))
          return .goOn
        }
      } catch {
        failure = "\(error)"
      }
    }
    pipe.onEnd = { error in failure = error?.reason ?? "it closed the connection" }
    do throws(EventLoopError) {
      try pipe.startReading()
      try pipe.write(outgoing.bytes)
    } catch {
      throw .noHost(error.reason)
    }
    outgoing.removeAll()
    while messages.isEmpty, failure == nil { loop.runOnce() }
    pipe.stopReading()
    parser = incoming
    guard let first = messages.first else { throw .lost(failure ?? "") }
    early = Array(messages.dropFirst())
    guard case .handshake(let answer) = first.body.recipient else {
      throw .lost("it answered the handshake with something else")
    }
    switch answer {
    case .welcome(let welcome): return welcome
    case .rejected(let reason): throw .rejected(reason)
    }
  }
}
