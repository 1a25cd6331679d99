internal import ArgumentParser
internal import Host
internal import Simulation

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Create, inspect and erase devices that persist between runs.",
    discussion: "`sluice run --device DEVICE SCENARIO` runs the cases of a scenario on one.",
    subcommands: [
      DeviceCreate.self, DeviceShow.self, DeviceExport.self, DeviceReset.self,
    ])

  /// Reads the inventory of a device.
  ///
  /// - Throws: ``RunError`` where there is no device, or it cannot be read.
  static func inventory(of folder: String) throws(RunError) -> DeviceInventory {
    do throws(HostError) {
      return try DeviceFolder(folder).inventory()
    } catch {
      throw RunError(error, device: folder)
    }
  }
}
