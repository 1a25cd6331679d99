internal import ArgumentParser
internal import Foundation
internal import Host
internal import Simulation

struct DeviceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "device",
    abstract: "Create, inspect and erase devices that persist between runs.",
    discussion:
      "`sluice run SCENARIO --device FOLDER` runs the cases of a scenario on such a device.",
    subcommands: [
      DeviceCreate.self, DeviceShow.self, DeviceExport.self, DeviceReset.self,
    ])

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
    abstract: "Create a device with the apps, accounts and policies of a scenario.",
    discussion: """
      sluice device create phone --scenario story.yaml

      Installs the apps and signs the accounts in. No step is carried out, and no app is started. If it fails, it \
      leaves no files.

      Exit status: 0 created, 2 the folder is not empty, or the scenario or a file that it names is invalid, 64 \
      usage, 70 an error of Sluice itself.
      """)

  @Argument(help: "The device's folder, new or empty.", completion: .directory)
  var folder: String

  @Option(help: "The scenario with the apps, accounts and policies.", completion: .file())
  var scenario: String

  func perform() throws(RunError) {
    var settings = RunSettings(programs: .installed(), folder: "")
    settings.journal = .synchronized
    let runner = ScenarioRun(settings)
    let prepared = try runner.prepare(ScenarioFiles.read(scenario))
    for warning in prepared.warnings { Failure.print(warning) }
    let name = try runner.createDevice(in: folder, as: prepared)
    print("created the device \(name) in \(folder)")
  }
}

// MARK: - Show and export

private struct DeviceShow: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract:
      "Show the apps, accounts, files with their owners, keychain items and PINs of a device.",
    discussion: """
      Secrets are left out: keychain values, PINs, keys and the contents of files. The device is only read, and may be \
      running.

      Exit status: 0 shown, 2 there is no device, or it cannot be read, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @Option(help: "Format of the inventory; json is what `sluice device export` writes.")
  var format = TextFormat.text

  @OptionGroup var output: OutputOptions<TextFormat>

  func perform() throws(RunError) {
    let inventory = try DeviceCommand.inventory(of: folder)
    try output.write(format, text: inventory.text, json: inventory.json())
  }
}

private struct DeviceExport: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the contents of a device as JSON, without secrets.",
    discussion: """
      docs/schema/device.schema.json describes the format.

      Exit status: 0 written, 2 there is no device, or it cannot be read, or the file cannot be written, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @OptionGroup var output: OutputOptions<JSONFormat>

  func perform() throws(RunError) {
    let text = try DeviceCommand.inventory(of: folder).json()
    try output.write(.json) { _, _ in text }
  }
}

// MARK: - Reset

private struct DeviceReset: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Erase all content and settings of a device.",
    discussion: """
      Leaves an empty device of the same name. Keys are erased first: if erasing is interrupted, encrypted files cannot \
      be read, the device does not start, and another reset finishes the work.

      Exit status: 0 erased, 1 not confirmed, 2 there is no device, or it is in use, or cannot be erased, 64 usage.
      """)

  @Argument(help: "The device's folder.", completion: .directory)
  var folder: String

  @Flag(
    name: .shortAndLong,
    help: "Do not ask for confirmation. Required if standard input is not a terminal.")
  var yes = false

  @Flag(help: "Keep the device's journal; new events are appended to it.")
  var keepJournal = false

  func validate() throws {
    if !yes, isatty(STDIN_FILENO) != 1 {
      throw ValidationError(
        "standard input is not a terminal, so erasing cannot be confirmed; add --yes to erase the device"
      )
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
