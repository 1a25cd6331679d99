internal import Diagnostics
internal import Foundation
internal import Host
internal import Simulation

/// The files by which a fleet's processes find each other, in the folder of a case that all hosts share.
struct FleetFiles {
  /// The folder of the case.
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// The path of the program that connects hosts; not every build has it.
  static func link(of programs: DeviceConfiguration.Programs) -> String {
    "\(programs.folder)/sluice-link"
  }

  /// No device is called so.
  private var hosts: String { "\(folder)/.hosts" }
  private func identityPath(_ number: Int) -> String { "\(hosts)/\(number).tls" }

  /// The path of what hosts write to standard error.
  var log: String { "\(hosts)/log" }

  /// Writes what each host is known by, where only this user can read it.
  ///
  /// - Throws: ``RunError`` where that cannot be written.
  func write(_ identities: [LinkIdentity]) throws(RunError) {
    let files = FileManager.default
    let isPrivate: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    guard
      (try? files.createDirectory(
        atPath: hosts, withIntermediateDirectories: true, attributes: isPrivate)) != nil
    else { throw RunError(unwritable: hosts, errno) }
    // The first is the coordinator's own.
    for (number, identity) in identities.enumerated().dropFirst() {
      let path = identityPath(number)
      guard
        files.createFile(
          atPath: path, contents: Data(identity.settings.utf8),
          attributes: [.posixPermissions: 0o600])
      else { throw RunError(unwritable: path, errno) }
    }
  }

  /// What a host is known by. It is read once: the file is removed.
  ///
  /// - Throws: ``RunError`` where there is no such host.
  func identity(of number: Int) throws(RunError) -> LinkIdentity {
    let identity = LinkIdentity(settings: try InputFile.text(identityPath(number)))
    unlink(identityPath(number))
    return identity
  }

  /// The last line that a host wrote to standard error; nil: it wrote none.
  var lastWords: String? {
    guard let data = FileManager.default.contents(atPath: log) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }

  /// Removes what hosts have not read that they are known by.
  func forgetIdentities(_ count: Int) {
    for number in 0..<count { unlink(identityPath(number)) }
  }

  /// Removes what is of no use once the hosts have ended.
  func remove() { try? FileManager.default.removeItem(atPath: hosts) }
}
