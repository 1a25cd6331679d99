public import JSON

/// A server of the organisation, which a scenario's apps reach over TLS.
public struct ServerSpecification: Sendable, Equatable {
  public var position: Position
  /// What the scenario calls the server.
  public var name: String
  /// As URLs have it.
  public var host: String
  /// As URLs have it: 1 to 65535.
  public var port: Int
  /// A folder with what it serves, as written: relative to the scenario file.
  public var folder: String
  public var clientCertificate: ClientCertificate
  public var version: Version

  public enum ClientCertificate: String, Sendable, CaseIterable {
    case required, none
  }

  /// Of TLS.
  public enum Version: String, Sendable, CaseIterable {
    case any
    case tls12 = "1.2"
    case tls13 = "1.3"
  }

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
