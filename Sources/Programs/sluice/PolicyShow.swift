internal import ArgumentParser
internal import Inspection
internal import JSON
internal import Policy
internal import Simulation

struct PolicyShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what policies amount to, in the admin centre's words, and where it is stated.",
    discussion: """
      Every setting is listed: with file and line where a policy states it, else as `default`. Warnings about \
      policies go to standard error.

      Exit status: 0 shown, 2 a policy is invalid, 64 usage.
      """)

  /// The format in which a policy is printed.
  /// The view of a policy that is shown.
  enum Perspective: String, CaseIterable, ExpressibleByArgument {
    case adminCentre = "admin-centre"
    case deviceLog = "device-log"
  }

  @Argument(
    help: "Policies as Microsoft Graph exports them, or folders of them.", completion: .file())
  var paths: [String]

  @Flag(help: "Show one policy: of each setting the most restrictive value.")
  var merged = false

  @Option(
    name: .customLong("as"),
    help: "What to show: the admin centre's pages, or what the SDK writes into a device's log.")
  var perspective = Perspective.adminCentre

  @Option(help: "Format of the admin centre's pages; a device's log has its own.")
  var format = TextFormat.text

  func run() throws {
    do throws(RunError) {
      let documents = try PolicyArguments.documents(paths)
      switch perspective {
      case .adminCentre: show(documents)
      case .deviceLog: for one in settings(of: documents) { log(one) }
      }
    } catch {
      throw Failure.report(error)
    }
  }

  private func show(_ documents: [PolicyDocument]) {
    let views =
      merged ? [PolicyView(merging: documents)] : documents.map { PolicyView(of: $0) }
    switch format {
    case .text: print(views.map(\.text).joined(separator: "\n"), terminator: "")
    case .json:
      var writer = JSONWriter()
      for view in views {
        view.write(to: &writer)
        writer.endLine()
      }
      print(writer.text, terminator: "")
    }
  }

  private func settings(of documents: [PolicyDocument]) -> [Settings] {
    merged ? [EffectivePolicy.merging(documents).settings] : documents.map(\.settings)
  }

  private func log(_ settings: Settings) {
    print(DeviceLog.text(of: settings), terminator: "")
  }
}
