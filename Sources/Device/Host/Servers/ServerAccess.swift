/// What lets a guest's process reach servers: the ports that it may connect to, and where it learns of them.
struct ServerAccess {
  /// TCP ports of this machine.
  let ports: [Int]
  /// `NAME=value` each.
  let environment: [String]
  /// Files that the process may read.
  let files: [String]

  /// - Parameter trustFile: the organisation's certificate.
  init(_ servers: [RunningServer], trustFile: String) {
    let reached = servers.compactMap { server in
      server.listeningPort.map { (server.description, $0) }
    }
    ports = reached.map(\.1)
    guard !reached.isEmpty else {
      environment = []
      files = []
      return
    }
    let list = reached.map { "\($0.host):\($0.port)=127.0.0.1:\($1)" }
    environment = ["SLUICE_SERVERS=\(list.joined(separator: ","))", "SLUICE_TRUST=\(trustFile)"]
    files = [trustFile]
  }

  /// Nobody may be reached.
  static let none = ServerAccess([], trustFile: "")

  /// As `sluice-launch` takes it.
  var arguments: [String] {
    ports.flatMap { ["--connect", "\($0)"] } + files.flatMap { ["--read", $0] }
  }
}
