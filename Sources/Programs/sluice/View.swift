internal import ArgumentParser
internal import DeviceControl
internal import Foundation
internal import Output
internal import Reports
internal import Simulation

struct View: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    abstract: "Watch a device live in a browser.",
    discussion: """
      Serves a page on 127.0.0.1 until the command exits, and prints its unguessable address. Everyone with the address \
      can watch and, with --control, carry out steps. The page follows the journal, and once a second asks the device \
      about pending work and the output of apps. It shows policies and scenarios that verdicts cite if they are below \
      the working directory.

      Exit status: 2 there is no device, its journal cannot be read, or the port is taken, 64 usage. Ctrl-C ends it.
      """)

  @Argument(
    help:
      "A device's folder, journal, control socket or name. Default: the only running device.",
    completion: .runningDevices)
  var device: String?

  @Flag(help: "Let everyone with the address carry out steps on the device.")
  var control = false

  @OptionGroup var page: PageOptions

  func perform() throws(RunError) {
    let watched = if let device { try WatchedDevice(device) } else { try WatchedDevice() }
    try JournalArgument.checkIsNoScenario(watched.journal)
    let view = LiveView(
      of: watched, control ? .steps : .look,
      reading: CitedFiles(.below(FileManager.default.currentDirectoryPath)).text)
    try view.run(port: page.port) { page.show($0) }
  }
}

/// The options of commands that serve an HTML page.
struct PageOptions: ParsableArguments {
  @Flag(help: "Open the page in the browser (xdg-open).")
  var open = false

  @Option(help: "The port; 0 lets the system choose.")
  var port = 0

  func validate() throws {
    guard 0...65_535 ~= port else {
      throw ValidationError("--port must be 0 to 65535, found \(port)")
    }
  }

  /// Prints the page's address. With `--open`, also opens the page in the browser.
  ///
  /// - Parameter folder: The command's private folder; nil to create one.
  func show(_ address: String, in folder: String? = nil) {
    print(address)
    fflush(nil)
    if open { Browser.show(address, in: folder) }
  }
}

private enum Browser {
  /// Opens the page in the browser through a file that redirects to it. Only this user can read the file. The address
  /// itself is not an argument of the browser, because all users can see the arguments of processes.
  ///
  /// The file is removed when the command ends.
  ///
  /// - Parameter folder: The command's private folder; nil to create one.
  static func show(_ address: String, in folder: String?) {
    let page = "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
    let browser = Process()
    browser.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    do {
      let folder = if let folder { folder } else { try PrivateFolder.make() }
      browser.arguments = ["xdg-open", "\(folder)/page.html"]
      try page.write(toFile: "\(folder)/page.html", atomically: false, encoding: .utf8)
      try browser.run()
    } catch {
      Failure.print("note: no browser could be opened: \(error)")
    }
  }
}

enum PrivateFolder {
  /// Creates a folder that only this user can read. If a signal ends the command, the folder is removed. Call this only
  /// once.
  static func make() throws(RunError) -> String {
    let folder =
      URL(fileURLWithPath: NSTemporaryDirectory()).path + "/sluice-page-\(UUID().uuidString)"
    try Interruption.cleanUp(removing: folder)
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw RunError(.path(folder), "the folder cannot be created: \(error)", rule: "output")
    }
    return folder
  }
}
