/// A server of the organisation, which serves the files of a folder over TLS to apps that may reach it.
public struct ServerDescription: Sendable, Equatable {
  /// The server's name on the device.
  public var name: String
  /// Host in URLs; the server's certificate is for this host.
  public var host: String
  /// Port in URLs. The port at which the server really listens is chosen by the kernel.
  public var port: Int
  /// Absolute path of the folder that the server serves.
  public var folder: String
  public var clientCertificate: ClientCertificate
  public var version: Version

  /// The certificate that the server asks of clients.
  public enum ClientCertificate: String, Sendable, CaseIterable {
    /// A certificate that the organisation's authority has issued, and a signature by its key.
    case required
    case none
  }

  /// Versions of TLS that the server speaks.
  public enum Version: String, Sendable, CaseIterable {
    /// 1.2 and 1.3.
    case any
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

  /// Creates a description of a server.
  public init(
    name: String, host: String, port: Int = 443, folder: String,
    clientCertificate: ClientCertificate = .required, version: Version = .any
  ) {
    self.name = name
    self.host = host
    self.port = port
    self.folder = folder
    self.clientCertificate = clientCertificate
    self.version = version
  }
}
