internal import Analysis
internal import ArgumentParser
internal import Model
internal import Policy
internal import Simulation

enum MatrixFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json, csv, html
}

struct Matrix: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Show what policies allow as tables: flows by who sends to whom on which device.",
    discussion: """
      Each policy is shown for itself, or with --policies beside others, as if it applied to every managed \
      account that takes part. No process is started.

      Exit status: 0 shown, 2 a policy is invalid or the file cannot be written, 64 usage.
      """)

  @Argument(
    help:
      "Policies as Microsoft Graph exports them, or folders of exports, each as a table of its own.",
    completion: .file())
  var paths: [String] = []

  @Option(
    parsing: .upToNextOption,
    help:
      "Policies, or folders of them, beside one another: a column for each, and marks where they differ.",
    completion: .file())
  var policies: [String] = []

  @Option(
    help: "Show this channel only; can be repeated. (values: \(ChannelArgument.names))",
    completion: .list(Channel.names), transform: { try ChannelArgument($0) })
  var channel: [ChannelArgument] = []

  @Option(help: "Format of the tables.")
  var format = MatrixFormat.text

  @OptionGroup var output: OutputOption

  @Flag(help: "In text, name the rules and settings that decided. The other formats always do.")
  var reasons = false

  func perform() throws(RunError) {
    let documents = try PolicyArguments.documents(paths + policies)
    try TextFile.check(output.file, isNoneOf: documents.map(\.file))
    let text = render(documents)
    try output.write(text)
  }

  func validate() throws {
    if let unknown = channel.first(where: { !FlowMatrix.channels.contains($0.channel) }) {
      throw ValidationError("no policy setting governs the channel `\(unknown.name)`.")
    }
    guard paths.isEmpty != policies.isEmpty else {
      throw ValidationError(
        paths.isEmpty
          ? "Missing expected argument '<paths> ...'."
          : "policies stand after --policies, or without it each for itself, not both.")
    }
  }

  private func render(_ documents: [PolicyDocument]) -> String {
    let channels = Set(channel.isEmpty ? FlowMatrix.channels : channel.map(\.channel))
    let together = policies.isEmpty ? nil : documents
    let matrices = documents.map { FlowMatrix($0, among: together, channels: channels) }
    let notice = documents.membershipNotice(.shown)
    if let notice, format == .csv || format == .html {
      Failure.print("sluice: note: \(notice) [assignments]")
    }
    let head = notice.map { "notice: \($0)\n\n" } ?? ""
    switch format {
    case .text where together != nil:
      return head + PolicyTable(documents, channels: channels).text(detail: detail)
    case .html where together != nil:
      return PolicyTable(documents, channels: channels).html()
    case .text: return head + matrices.text(detail: detail)
    case .json: return matrices.json(notice: notice)
    case .csv: return matrices.csv()
    case .html: return matrices.html()
    }
  }

  private var detail: FlowMatrix.Detail { reasons ? .reasons : .outcomes }
}
