internal import Diagnostics
internal import EventLoop
internal import Glibc
internal import Scenario

extension CaseDevice {
  /// Brings up the devices of a case, each in its own folder where there are several. Where one cannot be brought up, the
  /// others are taken down again.
  ///
  /// - Throws: ``RunError`` where a device cannot be brought up.
  static func bringUp(
    of name: String, _ blueprints: [Blueprint], _ settings: RunSettings, folder: String
  ) throws(RunError) -> [CaseDevice] {
    if blueprints.count > 1 { try checkDescriptors(for: blueprints) }
    var settings = settings
    settings.machineTime = settings.machineTime ?? Int(Glibc.time(nil))
    var devices: [CaseDevice] = []
    for blueprint in blueprints {
      let place = blueprints.count == 1 ? folder : "\(folder)/\(blueprint.scenario.device.name)"
      do throws(RunError) {
        devices.append(try CaseDevice(of: name, blueprint, settings, folder: place))
      } catch {
        for device in devices { device.close() }
        throw error
      }
    }
    return devices
  }

  /// Descriptors that a device takes before any guest runs.
  private static let descriptors = 10

  /// - Throws: ``RunError`` where this process cannot have as many descriptors as the devices take.
  private static func checkDescriptors(for blueprints: [Blueprint]) throws(RunError) {
    let needed = blueprints.count * descriptors
    guard let limit = DescriptorLimit.current, needed > limit - DescriptorLimit.reserve else {
      return
    }
    throw RunError(
      .file(blueprints[0].scenario.file),
      "\(blueprints.count) devices take about \(needed) descriptors, and this process may have \(limit) (`ulimit -n`)",
      rule: "devices")
  }

}
