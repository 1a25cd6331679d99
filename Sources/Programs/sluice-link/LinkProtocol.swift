internal import Encodings
internal import NIOCore
internal import NIOSSL

/// What goes between a process and its link, or between two links, cut into frames.
enum Frame {
  /// The number in frames that are orders and notices.
  static let control = UInt32.max
  /// The largest frame in bytes, without its length.
  static let largest = 1 << 30

  /// Takes the next whole frame out of `buffer`; nil: more bytes are needed.
  ///
  /// - Throws: ``LinkError`` where the frame is larger than any is.
  static func take(from buffer: inout ByteBuffer) throws(LinkError) -> ByteBuffer? {
    guard
      let length = buffer.getInteger(
        at: buffer.readerIndex, endianness: .little, as: UInt32.self)
    else { return nil }
    guard length <= largest else { throw LinkError("a frame of \(length) bytes is too large") }
    let whole = 4 + Int(length)
    guard buffer.readableBytes >= whole else {
      buffer.reserveCapacity(minimumWritableBytes: whole - buffer.readableBytes)
      return nil
    }
    buffer.moveReaderIndex(forwardBy: 4)
    return buffer.readSlice(length: Int(length))
  }
}

extension ByteBuffer {
  /// The size from which a message is sent as it is, rather than copied to others that go with it.
  static let largePayload = 1 << 14

  /// Adds a frame for another link.
  mutating func writeFrame(_ message: ByteBuffer) {
    writeInteger(UInt32(message.readableBytes), endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Adds a frame for the process that is served.
  mutating func writeFrame(_ message: ByteBuffer, of peer: UInt32) {
    writeInteger(UInt32(message.readableBytes + 4), endianness: .little)
    writeInteger(peer, endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Adds bytes that have come to those that wait for more.
  mutating func append(_ bytes: inout ByteBuffer) {
    if readableBytes == 0 {
      self = bytes
    } else {
      if readerIndex > writerIndex / 2 { discardReadBytes() }
      writeBuffer(&bytes)
    }
  }
}

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

/// The settings that the process gives its link first: lines of a name, a blank and a value.
///
/// | name | value |
/// | --- | --- |
/// | `bind` | the address that it listens at, such as `127.0.0.1` |
/// | `certificate` | its own certificate, DER in hexadecimal digits |
/// | `key` | the certificate's key, in the same form |
/// | `authority` | the certificate of the authority that issued all certificates, in the same form |
/// | `peer` | the number of a peer, and its certificate in the same form; once for each |
struct LinkSettings {
  let address: String
  let server: TLSConfiguration
  let client: TLSConfiguration
  /// The numbers of peers, by their certificates.
  let peers: [[UInt8]: UInt32]

  /// Reads the settings.
  ///
  /// - Throws: ``LinkError`` where a setting is missing or wrong, and the error of NIOSSL for a certificate or key that it
  ///   does not read.
  init(_ text: String) throws {
    var values: [Substring: Substring] = [:]
    var peers: [[UInt8]: UInt32] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "peer", words.count == 3 {
        guard let number = UInt32(words[1]), let certificate = Hexadecimal.bytes(words[2]) else {
          throw LinkError("a setting `peer` is wrong")
        }
        peers[certificate] = number
      } else {
        guard words.count == 2 else { throw LinkError("a setting has no value") }
        values[words[0]] = words[1]
      }
    }
    guard let address = values["bind"] else { throw LinkError("the setting `bind` is missing") }
    self.address = String(address)
    self.peers = peers
    let chain = try [
      NIOSSLCertificateSource.certificate(
        NIOSSLCertificate(bytes: Self.bytes("certificate", values), format: .der))
    ]
    let key = try NIOSSLPrivateKeySource.privateKey(
      NIOSSLPrivateKey(bytes: Self.bytes("key", values), format: .der))
    let authority = try NIOSSLCertificate(bytes: Self.bytes("authority", values), format: .der)
    var server = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain, privateKey: key)
    server.trustRoots = .certificates([authority])
    server.certificateVerification = .noHostnameVerification
    server.minimumTLSVersion = .tlsv13
    self.server = server
    var client = TLSConfiguration.makeClientConfiguration()
    client.certificateChain = chain
    client.privateKey = key
    client.trustRoots = .certificates([authority])
    // A peer is known by its certificate, wherever it is.
    client.certificateVerification = .noHostnameVerification
    client.minimumTLSVersion = .tlsv13
    self.client = client
  }

  private static func bytes(
    _ name: Substring, _ values: [Substring: Substring]
  ) throws(LinkError) -> [UInt8] {
    guard let bytes = values[name].flatMap({ Hexadecimal.bytes($0) }) else {
      throw LinkError("the setting `\(name)` is missing or wrong")
    }
    return bytes
  }
}

/// The reason why the link cannot serve.
struct LinkError: Error, CustomStringConvertible {
  /// The reason: lower case, no full stop.
  let description: String

  init(_ description: String) { self.description = description }
}
