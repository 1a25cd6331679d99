internal import ArgumentParser
internal import Host
internal import Simulation

struct DeviceShow: ParsableCommand {
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

  func run() throws {
    do throws(RunError) {
      let inventory = try DeviceCommand.inventory(of: folder)
      print(format == .text ? inventory.text : inventory.json(), terminator: "")
    } catch {
      throw Failure.report(error)
    }
  }
}
