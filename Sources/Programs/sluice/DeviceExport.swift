internal import ArgumentParser
internal import Host
internal import Simulation

struct DeviceExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write what is on a device as JSON.",
    discussion: """
      What `sluice device show` knows, without secrets; docs/schema/device.schema.json describes it.

      Exit status: 0 written, 2 there is no device, or it cannot be read, or the file cannot be written, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @Option(
    name: .shortAndLong, help: "Write to this file instead of standard output.", completion: .file()
  )
  var output: String?

  func run() throws {
    do throws(RunError) {
      let text = try DeviceCommand.inventory(of: folder).json()
      guard let output else { return print(text, terminator: "") }
      try TextFile.write(text, to: output)
    } catch {
      throw Failure.report(error)
    }
  }
}
