internal import Encodings
internal import NIOCore
internal import NIOSSL

/// The frames between a process and its link, and between two links.
enum Frame {
  /// The number that frames with an ``Order`` or a ``Notice`` have in place of a peer's number.
  static let control = UInt32.max
  /// The maximum length of a frame in bytes. The 4 bytes of the length itself do not count.
  static let largest = 1 << 30

  /// Removes the next frame from `buffer` and returns it; nil if the frame is incomplete. Throws an error if the frame
  /// is longer than ``largest``.
  static func read(from buffer: inout ByteBuffer) throws(LinkError) -> ByteBuffer? {
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
  /// The size in bytes from which a message is sent by itself. Smaller messages are copied into a common buffer.
  static let largePayload = 1 << 14

  /// Appends a frame in the format between links.
  mutating func writeFrame(_ message: ByteBuffer) {
    writeInteger(UInt32(message.readableBytes), endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Appends a frame in the format between the link and its process, which includes the peer's number.
  mutating func writeFrame(_ message: ByteBuffer, of peer: UInt32) {
    writeInteger(UInt32(message.readableBytes + 4), endianness: .little)
    writeInteger(peer, endianness: .little)
    writeImmutableBuffer(message)
  }

  /// Appends received bytes to the bytes that have not been parsed yet.
  mutating func append(_ bytes: inout ByteBuffer) {
    if readableBytes == 0 {
      self = bytes
    } else {
      if readerIndex > writerIndex / 2 { discardReadBytes() }
      writeBuffer(&bytes)
    }
  }
}

/// A command from the process to its link, as text.
enum Order {
  /// `settings`, followed by the lines that ``LinkSettings`` reads. The link starts to listen.
  case settings(String)
  /// `reach PEER ADDRESS PORT`. The link connects to the link of this peer, to send messages to it.
  case reach(UInt32, String, Int)
  /// `end`. The link sends all messages and exits.
  case end

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
      throw LinkError("`\(text.prefix(40))` is not a command")
    }
  }
}

/// A report of a link to the process that it serves, as text.
enum Notice {
  /// `listening PORT`: the link listens on this port.
  case listening(Int)
  /// `reached PEER ADDRESS`: the link has connected to the peer. `ADDRESS` is the address at which this link listens,
  /// such as `10.0.0.7:40123`.
  case reached(UInt32, from: String)
  /// `lost PEER REASON`: a connection to or from the peer has closed.
  case lost(UInt32, String)
  /// `failed REASON`: the link cannot do its work.
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

/// The settings that the process sends first: lines with a name, a space and a value.
///
/// | name | value |
/// | --- | --- |
/// | `bind` | the address to listen on, such as `127.0.0.1` |
/// | `certificate` | the link's own certificate, as hexadecimal DER |
/// | `key` | the certificate's key, in the same form |
/// | `authority` | the certificate of the authority that issued all certificates, in the same form |
/// | `peer` | a peer's number and its certificate in the same form; one line per peer |
struct LinkSettings {
  let address: String
  let server: TLSConfiguration
  let client: TLSConfiguration
  /// The number of each peer. Keys are the peers' certificates in DER.
  let peers: [[UInt8]: UInt32]

  /// Parses settings.
  ///
  /// - Throws: ``LinkError`` if a setting is missing or invalid, or an error from NIOSSL if it cannot read a
  ///   certificate or key.
  init(_ text: String) throws {
    var values: [Substring: Substring] = [:]
    var peers: [[UInt8]: UInt32] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.first == "peer", words.count == 3 {
        guard let number = UInt32(words[1]), let certificate = Hexadecimal.bytes(words[2]) else {
          throw LinkError("a `peer` setting is invalid")
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
    // A certificate identifies a peer, whatever its host name.
    client.certificateVerification = .noHostnameVerification
    client.minimumTLSVersion = .tlsv13
    self.client = client
  }

  private static func bytes(
    _ name: Substring, _ values: [Substring: Substring]
  ) throws(LinkError) -> [UInt8] {
    guard let bytes = values[name].flatMap({ Hexadecimal.bytes($0) }) else {
      throw LinkError("the setting `\(name)` is missing or invalid; expected hexadecimal digits")
    }
    return bytes
  }
}

/// The reason why a link cannot do its work.
struct LinkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
