internal import Foundation
public import Host

extension DeviceConfiguration.Programs {
  /// The guest programs beside the running executable, as `make build` puts them.
  ///
  /// - Parameter folder: where to look instead; nil: beside this process's executable.
  public static func installed(in folder: String? = nil) -> DeviceConfiguration.Programs {
    let folder = folder ?? ownFolder
    return DeviceConfiguration.Programs(
      guest: "\(folder)/sluice-guest", launch: "\(folder)/sluice-launch")
  }

  /// The folder that they are in.
  package var folder: String { (guest as NSString).deletingLastPathComponent }

  /// Whether the program is there that servers run; not everybody builds it.
  var hasServer: Bool { FileManager.default.isExecutableFile(atPath: server) }

  /// The folder of this process's executable.
  private static var ownFolder: String {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return link.map { ($0 as NSString).deletingLastPathComponent } ?? "."
  }
}
