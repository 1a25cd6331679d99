internal import Foundation
public import Host
internal import Scenario

extension DeviceConfiguration.Programs {
  /// The programs of this installation.
  ///
  /// - Parameter folder: the programs' folder; nil: that of the installation to which this process's executable belongs.
  public static func installed(in folder: String? = nil) -> DeviceConfiguration.Programs {
    let folder = folder ?? Installation.own.programs
    return DeviceConfiguration.Programs(
      guest: "\(folder)/sluice-guest", launch: "\(folder)/sluice-launch")
  }

  /// The folder of the programs.
  package var folder: String { (guest as NSString).deletingLastPathComponent }

  /// Whether the program that servers run is there; not every build has it.
  private var hasServer: Bool { FileManager.default.isExecutableFile(atPath: server) }

  /// The program that a scenario needs and this installation lacks, in a clause; nil: it lacks none.
  func lack(of scenario: Scenario) -> String? {
    scenario.servers.isEmpty || hasServer
      ? nil : "`sluice-server` is not there; `make tls` builds it"
  }
}
