internal import ArgumentParser
internal import DeviceControl
internal import Foundation
internal import GraphDocuments
internal import Output
internal import Policy
internal import Simulation
internal import Studio
internal import Tenants

struct StudioCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Change policies in a browser and see immediately what each change does.",
    discussion: """
      sluice studio base.json --compare level2.json

      sluice studio exports/

      sluice studio base.json --device iPhone

      Serves a page on 127.0.0.1 until the command ends, and prints its unguessable address. The page has the settings \
      as the admin centre does, and what the policy does: its answers, the ways out, share sheets, conditional launch \
      and, for the folder of an export with assignments, the users whom each policy reaches. It explains each answer, \
      proposes changes, and saves only the changed bytes. Goals can be saved as scenarios. Everyone with the address \
      can change the files.

      With --device, the page tries answers on a device of `sluice up`: the draft becomes one of its policies, and its \
      apps carry out the transfer. The page puts the device's policy back on request. Everyone with the address can do \
      this.

      Exit status: 2 a policy is invalid, the device cannot be controlled or the port is taken, 64 usage. Ctrl-C ends \
      it.
      """)

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @Option(
    help: ArgumentHelp(
      "A policy, or a folder of policies, to compare with. Can be repeated.", valueName: "path"),
    completion: .file())
  var compare: [String] = []

  @Option(
    help: "A running device to try answers on: its folder, journal, control socket or name.",
    completion: .runningDevices)
  var device: String?

  @OptionGroup var page: PageOptions

  func perform() throws(RunError) {
    let documents = try PolicyArguments.documents(paths)
    let references = compare.isEmpty ? [] : try PolicyArguments.documents(compare)
    var drafts: [PolicyDraft] = []
    for file in documents.map(\.file)
    where !drafts.contains(where: { $0.file == file }) {
      let bytes = try InputFile.document(file)
      do throws(PolicyErrors) {
        drafts.append(try PolicyDraft(bytes, file: file))
      } catch {
        throw RunError(error.diagnostics)
      }
    }
    let workbench = Workbench(drafts, comparedWith: references, of: tenant(with: documents))
    let running = try device.map { name throws(RunError) in try Self.device(name) }
    let studio = Studio(workbench, on: running) { path in
      // A pipe in place of the file would block every page.
      guard (try? InputFile.requireRegular(path)) != nil else { return nil }
      return try? InputFile.document(path)
    }
    do throws(StudioError) {
      try studio.run(port: page.port) { page.show($0, in: running?.folder) }
    } catch {
      // The folder is still empty, so it may stay if it cannot be removed.
      if let running { try? FileManager.default.removeItem(atPath: running.folder) }
      throw RunError(.command, error.description, rule: "port")
    }
  }

  /// Connects to a running device. Drafts are written to a new private folder, from which the device reads them.
  private static func device(_ name: String) throws(RunError) -> StudioDevice {
    let calls = try DeviceCalls(WatchedDevice(name))
    return StudioDevice(name: calls.name, folder: try PrivateFolder.make(), calling: calls.call)
  }

  /// Returns the tenant whose export contains the policies. Returns nil unless the only path is a folder, a policy
  /// states assignments, and the export can be read.
  private func tenant(with documents: [PolicyDocument]) -> Tenant? {
    guard paths.count == 1, documents.contains(where: { $0.assignments != nil }),
      InputFolder(paths[0]) != nil
    else { return nil }
    do throws(RunError) {
      return try Tenant.load(paths[0])
    } catch {
      // The policies can be changed without the rest of the export.
      Failure.print(error.description)
      Failure.print("note: the page does not show the users that the policies reach")
      return nil
    }
  }
}
