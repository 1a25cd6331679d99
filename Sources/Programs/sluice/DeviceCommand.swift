internal import ArgumentParser
internal import Foundation
internal import Host
internal import Scenario
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
  /// - Throws: ``RunError`` if there is no device or it cannot be read.
  static func inventory(of folder: String) throws(RunError) -> DeviceInventory {
    do throws(HostError) {
      return try DeviceFolder(folder).inventory()
    } catch {
      throw RunError(error, device: folder)
    }
  }
}

// MARK: - Create

private struct DeviceCreate: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a device as a scenario describes it.",
    discussion: """
      The scenario's apps are installed and its accounts signed in, under its policies. No step is carried out, and \
      no process of an app is started. Where that fails, nothing is left.

      Exit status: 0 made, 2 the folder is not empty, or the scenario or something in it is invalid, 64 usage, 70 a \
      fault of Sluice itself.
      """)

  @Argument(help: "The device's folder: a new one, or one that is empty.", completion: .directory)
  var folder: String

  @Option(help: "What the device is like at first.", completion: .file())
  var scenario: String

  func perform() throws(RunError) {
    var settings = RunSettings(programs: .installed(), folder: "")
    settings.journal = .synchronized
    let runner = ScenarioRun(settings)
    let prepared = try runner.prepare(ScenarioFiles.read(scenario))
    for warning in prepared.warnings { Failure.print(warning) }
    let name = try runner.createDevice(in: folder, as: prepared)
    print("made the device \(name) in \(folder)")
  }
}

// MARK: - Show and export

private struct DeviceShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what is on a device: apps, accounts, files and whose they are, keychain, PINs.",
    discussion: """
      Never a value of the keychain, a PIN, a key or what a file holds. Nothing is changed, and a device that is in \
      use is not disturbed.

      Exit status: 0 shown, 2 there is no device, or it cannot be read, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @Option(help: "How it is shown; json is what `sluice device export` writes.")
  var format = TextFormat.text

  func perform() throws(RunError) {
    let inventory = try DeviceCommand.inventory(of: folder)
    print(format == .text ? inventory.text : inventory.json(), terminator: "")
  }
}

private struct DeviceExport: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write what is on a device as JSON.",
    discussion: """
      What `sluice device show` knows, without secrets; docs/schema/device.schema.json describes it.

      Exit status: 0 written, 2 there is no device, or it cannot be read, or the file cannot be written, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @OptionGroup var output: OutputOption

  func perform() throws(RunError) {
    let text = try DeviceCommand.inventory(of: folder).json()
    try output.write(text)
  }
}

// MARK: - Reset

private struct DeviceReset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Erase all content and settings of a device.",
    discussion: """
      Leaves an empty device of the same name. Keys go first: where erasing is interrupted, what is left of encrypted \
      files cannot be read, the device does not come up, and erasing it again finishes it.

      Exit status: 0 erased, 1 not confirmed, 2 there is no device, or it is in use, or cannot be erased, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @Flag(
    name: .shortAndLong,
    help: "Do not ask for confirmation. Needed where standard input is not a terminal.")
  var yes = false

  @Flag(help: "Keep the device's journal; what follows is appended to it.")
  var keepJournal = false

  func validate() throws {
    if !yes, isatty(STDIN_FILENO) != 1 {
      throw ValidationError(
        "standard input is not a terminal, so nobody can confirm; add --yes to erase the device.")
    }
  }

  func run() throws {
    do {
      let device = try DeviceFolder(folder)
      let name = try device.name() ?? "without a name"
      guard yes || isConfirmed(name) else {
        Failure.print("nothing was erased")
        throw Failure.expectation
      }
      try device.erase(journal: keepJournal ? .kept : .erased)
      print("erased the device \(name) in \(folder)")
    } catch let error as HostError {
      throw Failure.report(RunError(error, device: folder))
    }
  }

  private func isConfirmed(_ name: String) -> Bool {
    let question = "Erase all content and settings of the device \(name) in \(folder)? [y/N] "
    try? FileHandle.standardError.write(contentsOf: Data(question.utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
