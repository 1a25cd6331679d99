internal import FoundationEssentials
internal import ManagedApp
internal import NIOCore
internal import NIOSSL

/// The private key of an identity: the device keeps it, and signs with it.
struct DeviceKey: NIOSSLCustomPrivateKey {
  private let identity: SecIdentity
  let signatureAlgorithms: [NIOSSL.SignatureAlgorithm]

  init(_ identity: SecIdentity, _ kind: KeyKind) {
    self.identity = identity
    signatureAlgorithms = kind.signatureAlgorithms
  }

  func sign(
    channel: any Channel, algorithm: NIOSSL.SignatureAlgorithm, data: ByteBuffer
  ) -> EventLoopFuture<ByteBuffer> {
    guard let name = KeyKind.name(of: algorithm) else {
      return channel.eventLoop.makeFailedFuture(ManagedTLSError.unsupportedKey)
    }
    return channel.eventLoop.makeFutureWithTask { [identity] in
      let signature = try await identity.signature(
        for: Data(data.readableBytesView), algorithm: name)
      return ByteBuffer(bytes: signature)
    }
  }

  /// Fails: only the exchange of keys by RSA decrypts, and it is not offered.
  func decrypt(channel: any Channel, data: ByteBuffer) -> EventLoopFuture<ByteBuffer> {
    channel.eventLoop.makeFailedFuture(ManagedTLSError.unsupportedKey)
  }
}

extension DeviceKey: Hashable {
  static func == (left: DeviceKey, right: DeviceKey) -> Bool { left.identity === right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(identity)) }
}
