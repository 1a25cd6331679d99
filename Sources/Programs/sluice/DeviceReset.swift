internal import ArgumentParser
internal import Foundation
internal import Host
internal import Simulation

struct DeviceReset: ParsableCommand {
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
