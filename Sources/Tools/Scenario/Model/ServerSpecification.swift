public import JSON

/// A server of the organisation, which a scenario's apps reach over TLS.
public struct ServerSpecification: Sendable, Equatable {
  public var position: Position
  /// The scenario's name for the server.
  public var name: String
  /// The host, in the form of URLs.
  public var host: String
  /// The port, 1 to 65535.
  public var port: Int
  /// The path of the folder that the server serves, as written: relative to the scenario file.
  public var folder: String
  public var clientCertificate: ClientCertificate
  public var version: Version

  /// A server's demand for client certificates.
  public enum ClientCertificate: String, Sendable, CaseIterable {
    case required, none
  }

  /// A version of TLS.
  public enum Version: String, Sendable, CaseIterable {
    case any
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

  /// Creates the specification of a server.
  public init(
    position: Position, name: String, host: String, port: Int = 443, folder: String,
    clientCertificate: ClientCertificate = .required, version: Version = .any
  ) {
    self.position = position
    self.name = name
    self.host = host
    self.port = port
    self.folder = folder
    self.clientCertificate = clientCertificate
    self.version = version
  }
}
