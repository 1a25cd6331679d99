internal import Analysis
internal import ArgumentParser
internal import Foundation
internal import Policy
internal import Simulation
internal import Transfer

/// How a matrix is printed.
enum MatrixFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv, html
}

struct Matrix: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show what policies allow as tables: flows by who sends to whom on which device.",
    discussion: """
      Each policy is shown for itself, as if it applied to every managed account that takes part. No process \
      is started.

      Exit status: 0 shown, 2 a policy or a channel is invalid, 64 usage.
      """)

  @Argument(help: "Policies as Microsoft Graph exports them, or folders of exports.")
  var policies: [String]

  @Option(help: "Show this channel only; can be repeated.")
  var channel: [ChannelArgument] = []

  @Option(help: "Format of the tables.")
  var format = MatrixFormat.text

  @Option(name: .shortAndLong, help: "Write to this file instead of standard output.")
  var output: String?

  @Flag(help: "In text, name the rules and settings that decided. The other formats always do.")
  var reasons = false

  func run() throws {
    do throws(RunError) {
      var documents: [PolicyDocument] = []
      for path in policies { documents += try PolicyFiles.load(path) }
      for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
      let channels = Set(channel.isEmpty ? FlowMatrix.channels : channel.map(\.channel))
      let text = render(documents.map { FlowMatrix($0, channels: channels) })
      guard let output else { return print(text, terminator: "") }
      do {
        try text.write(toFile: output, atomically: true, encoding: .utf8)
      } catch {
        throw RunError("\(output):1:1: error: the matrix cannot be written there [file]")
      }
    } catch {
      throw Failure.report(error)
    }
  }

  func validate() throws {
    if let unknown = channel.first(where: { !FlowMatrix.channels.contains($0.channel) }) {
      throw ValidationError("no policy has a say on the channel `\(unknown.name)`.")
    }
  }

  private func render(_ matrices: [FlowMatrix]) -> String {
    switch format {
    case .text: matrices.text(detail: reasons ? .reasons : .outcomes)
    case .json: matrices.json()
    case .csv: matrices.csv()
    case .html: matrices.html()
    }
  }
}
