public import FoundationEssentials
public import NIOCore
public import NIOSSL

/// The servers that this app may reach, as the device states them to its process.
///
/// iOS has no counterpart: there, names and trust are the system's affair.
public struct ReachableServers: Sendable {
  private let addresses: [String: SocketAddress]
  /// The certificate of the organisation's authority, which has issued those of its servers.
  public let trustRoots: NIOSSLTrustRoots

  /// Reads `SLUICE_SERVERS`, such as `maps.contoso.com:443=127.0.0.1:40123` with commas between several, and the
  /// file that `SLUICE_TRUST` names.
  ///
  /// - Throws: ``ManagedTLSError/environment`` where one of them is missing or malformed, and an error of NIO where an
  ///   address or the file cannot be read.
  public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    guard let list = environment["SLUICE_SERVERS"], let trust = environment["SLUICE_TRUST"] else {
      throw ManagedTLSError.environment
    }
    var addresses: [String: SocketAddress] = [:]
    for entry in list.split(separator: ",") {
      let sides = entry.split(separator: "=")
      guard sides.count == 2, let colon = sides[1].lastIndex(of: ":"),
        let port = Int(sides[1][sides[1].index(after: colon)...])
      else { throw ManagedTLSError.environment }
      addresses[sides[0].lowercased()] = try SocketAddress(
        ipAddress: String(sides[1][..<colon]), port: port)
    }
    self.addresses = addresses
    trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(trust))
  }

  /// The address to connect to for a host and port of a URL; nil where the app may not.
  public func address(of host: String, port: Int = 443) -> SocketAddress? {
    addresses["\(host.lowercased()):\(port)"]
  }
}
