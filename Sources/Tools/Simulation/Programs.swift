internal import Foundation
public import Host

extension DeviceConfiguration.Programs {
  /// The guest programs beside the running executable, as `make build` puts them.
  ///
  /// - Parameter folder: the programs' folder; nil: that of this process's executable.
  public static func installed(in folder: String? = nil) -> DeviceConfiguration.Programs {
    let folder = folder ?? ownFolder
    return DeviceConfiguration.Programs(
      guest: "\(folder)/sluice-guest", launch: "\(folder)/sluice-launch")
  }

  /// The folder of the programs.
  package var folder: String { (guest as NSString).deletingLastPathComponent }

  /// Whether the program that servers run is there; not every build has it.
  var hasServer: Bool { FileManager.default.isExecutableFile(atPath: server) }

  /// The folder of this process's executable.
  private static var ownFolder: String {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return link.map { ($0 as NSString).deletingLastPathComponent } ?? "."
  }
}
