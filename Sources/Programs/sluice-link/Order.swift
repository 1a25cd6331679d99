/// What the process asks of its link, in words.
enum Order {
  /// `settings`, and in the next lines what ``LinkSettings`` reads: to listen.
  case settings(String)
  /// `reach PEER ADDRESS PORT`: to connect to the link of a peer, for messages to it.
  case reach(UInt32, String, Int)
  /// `end`: to end once all messages have gone.
  case end

  /// Reads an order.
  ///
  /// - Throws: ``LinkError`` where it is none.
  init(_ text: String) throws(LinkError) {
    let words = text.split(separator: " ")
    if text == "end" {
      self = .end
    } else if text.hasPrefix("settings\n") {
      self = .settings(String(text.dropFirst("settings\n".count)))
    } else if words.count == 4, words[0] == "reach", let peer = UInt32(words[1]),
      let port = Int(words[3])
    {
      self = .reach(peer, String(words[2]), port)
    } else {
      throw LinkError("`\(text.prefix(40))` is no order")
    }
  }
}

/// What a link tells its process, in words.
enum Notice {
  /// `listening PORT`
  case listening(Int)
  /// `reached PEER ADDRESS`: connected, from an address at which the link itself listens, such as `10.0.0.7:40123`.
  case reached(UInt32, from: String)
  /// `lost PEER REASON`: a connection to or from the peer has ended.
  case lost(UInt32, String)
  /// `failed REASON`: the link is of no use.
  case failed(String)

  var text: String {
    switch self {
    case .listening(let port): "listening \(port)"
    case .reached(let peer, let address): "reached \(peer) \(address)"
    case .lost(let peer, let reason): "lost \(peer) \(reason)"
    case .failed(let reason): "failed \(reason)"
    }
  }
}
