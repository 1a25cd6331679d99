internal import SystemCalls

/// The access of a guest's process to servers: the ports that it may connect to, and the means by which it learns of
/// them.
struct ServerAccess {
  /// TCP ports of this machine that the process may connect to.
  let ports: [Int]
  /// Environment variables, `NAME=value` each.
  let environment: [String]
  /// Files that the process may read.
  let files: [String]

  /// Creates the access to these servers.
  ///
  /// - Parameter trustFile: path of the organisation's certificate.
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

  /// The network that the process needs for them.
  var network: SystemCallProfile.Network { ports.isEmpty ? .none : .client }

  /// Access to no server.
  static let none = ServerAccess([], trustFile: "")

  /// The access in arguments of `sluice-launch` and `sluice-guest`.
  var arguments: [String] {
    ports.flatMap { ["--connect", "\($0)"] } + files.flatMap { ["--read", $0] }
  }
}
