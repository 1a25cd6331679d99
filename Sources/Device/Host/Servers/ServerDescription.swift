/// A server of the organisation, which serves the files of a folder over TLS to apps that may reach it.
public struct ServerDescription: Sendable, Equatable {
  /// What the device calls it.
  public var name: String
  /// As URLs have it; the server's certificate is for it.
  public var host: String
  /// As URLs have it. Where the server really listens, the kernel chooses.
  public var port: Int
  /// What it serves. An absolute path.
  public var folder: String
  public var clientCertificate: ClientCertificate
  public var version: Version

  /// What the server wants of those who connect.
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
