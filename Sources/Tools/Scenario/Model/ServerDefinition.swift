package import Encodings

/// A server of the organisation, which apps reach over TLS.
package struct ServerDefinition: Sendable, Equatable {
  package var position: Position
  package var name: String
  package var host: String
  /// The port, from 1 to 65535.
  package var port = 443
  /// The path of the served folder, relative to the scenario file.
  package var folder: String
  package var clientCertificate: ClientCertificate = .required
  package var version: Version = .any

  package enum ClientCertificate: String, Sendable, CaseIterable {
    case required, none
  }

  package enum Version: String, Sendable, CaseIterable {
    case any
    case tls12 = "1.2"
    case tls13 = "1.3"
  }
}

extension ServerDefinition {
  enum Key: String, FieldKey {
    case host, port, folder, clientCertificate, tls

    static let synonyms: [String: Key] = [
      "hostname": .host, "name": .host, "url": .host, "address": .host, "path": .folder,
      "files": .folder, "root": .folder, "directory": .folder, "version": .tls,
    ]
  }

  static func readAll(_ value: YAMLValue?) throws(InputError) -> [ServerDefinition] {
    var servers: [ServerDefinition] = []
    return try (value?.mapping() ?? []).readEach { member throws(InputError) in
      let server = try member.readAllParts(ServerDefinition.init)
      if let other = servers.first(where: { ($0.host, $0.port) == (server.host, server.port) }) {
        throw InputError(
          .duplicateName, at: member.position,
          "`\(server.host):\(server.port)` is already the address of the server `\(other.name)`")
      }
      servers.append(server)
      return server
    }
  }

  private init(_ member: YAMLValue.Member) throws(InputError) {
    let name = try Names.validated(member, naming: "a server")
    let fields = try Fields<Key>(member.value, "the server `\(name)`")
    self.init(
      position: member.position, name: name, host: try Self.host(fields.required(.host)),
      folder: try fields.required(.folder).text())
    if let value = fields[.port] { port = try value.int(in: 1...65_535) }
    if let value = fields[.clientCertificate] { clientCertificate = try value.word() }
    if let value = fields[.tls] { version = try value.word() }
  }

  private static func host(_ value: YAMLValue) throws(InputError) -> String {
    let text = try value.text().lowercased()
    guard Name.isHost(text) else {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is not a host name; use letters, digits and `-` with dots between, as in "
          + "`maps.contoso.com`")
    }
    return text
  }
}
