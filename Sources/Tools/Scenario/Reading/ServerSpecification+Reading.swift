extension ServerSpecification {
  enum Key: String, CaseIterable {
    case host, port, folder, clientCertificate, tls
  }

  static func readAll(_ value: YAMLValue?) throws(Mistake) -> [ServerSpecification] {
    var servers: [ServerSpecification] = []
    for member in try value?.mapping() ?? [] {
      let server = try ServerSpecification(member)
      if let other = servers.first(where: { ($0.host, $0.port) == (server.host, server.port) }) {
        throw Mistake(
          .duplicateName, at: member.position,
          "`\(server.host):\(server.port)` is the server `\(other.name)` already")
      }
      servers.append(server)
    }
    return servers
  }

  private init(_ member: YAMLValue.Member) throws(Mistake) {
    let name = try Names.validated(member, naming: "a server")
    let fields = try Fields<Key>(member.value, "the server `\(name)`")
    self.init(
      position: member.position, name: name, host: try Self.host(fields.required(.host)),
      folder: try fields.required(.folder).text())
    if let value = fields[.port] { port = try value.int(in: 1...65_535) }
    if let value = fields[.clientCertificate] { clientCertificate = try value.word() }
    if let value = fields[.tls] { version = try value.word() }
  }

  private static func host(_ value: YAMLValue) throws(Mistake) -> String {
    let text = try value.text().lowercased()
    guard Name.isHost(text) else {
      throw value.mistake(
        .invalidValue,
        "`\(text)` is no host name; use letters, digits and `-` with dots between, as in "
          + "`maps.contoso.com`")
    }
    return text
  }
}
