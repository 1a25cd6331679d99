internal import Diagnostics
internal import Foundation
internal import Host
internal import JSON
internal import Scenario

extension Device {
  /// Starts the servers of a scenario.
  ///
  /// - Throws: ``RunError`` with the place of the server that does not come up.
  func startServers(_ blueprint: Blueprint) throws(RunError) {
    let file = blueprint.scenario.file
    for server in blueprint.scenario.servers {
      let path = Blueprint.resolve(server.folder, in: Blueprint.folder(of: file))
      var description = ServerDescription(
        name: server.name, host: server.host, port: server.port,
        folder: URL(fileURLWithPath: path).standardizedFileURL.path)
      description.clientCertificate = server.clientCertificate == .none ? .none : .required
      description.version =
        switch server.version {
        case .any: .any
        case .tls12: .tls12
        case .tls13: .tls13
        }
      do throws(HostError) {
        try servers.start(description)
      } catch {
        let place = server.position
        throw RunError(
          .file(file, place), "\(error)", rule: "server",
          fault: error.code == .program ? .own : .input)
      }
    }
  }
}
