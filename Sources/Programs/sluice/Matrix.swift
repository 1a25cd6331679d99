internal import Analysis
internal import ArgumentParser
internal import Model
internal import Policy
internal import Simulation

enum MatrixFormat: String, OutputFormat {
  case text, json, csv, html
}

struct Matrix: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Show what policies allow and block, as tables of flows between accounts.",
    discussion: """
      sluice matrix base.json stricter.json --compare --channel print

      Each policy has a table of its own, or with --compare a column, as if it applied to every managed account \
      that takes part. No process is started.

      Exit status: 0 shown, 2 a policy is invalid or the file cannot be written, 64 usage.
      """)

  @OptionGroup var paths: PolicyPaths

  @Flag(help: "Show the policies side by side, and mark the flows that they decide differently.")
  var compare = false

  @Option(
    help: "Show only this channel; can be repeated. (values: \(ChannelArgument.names))",
    completion: .list(Channel.names), transform: { try ChannelArgument($0) })
  var channel: [ChannelArgument] = []

  @Option(help: "Format of the tables.")
  var format = MatrixFormat.text

  @OptionGroup var output: OutputOptions<MatrixFormat>

  @Flag(help: "In text, name the rules and settings that decided. The other formats always do.")
  var reasons = false

  func perform() throws(RunError) {
    let documents = try PolicyArguments.documents(paths.policies)
    try output.check(isNoneOf: documents.map(\.file))
    let notice = documents.membershipNotice(.shown)
    if let notice, output.formats(format).contains(where: { $0 == .csv || $0 == .html }) {
      Failure.print("sluice: note: \(notice) [assignments]")
    }
    try output.write(format) { format, _ in render(documents, as: format, notice) }
  }

  func validate() throws {
    if let unknown = channel.first(where: { !FlowMatrix.channels.contains($0.channel) }) {
      throw ValidationError(
        "no policy setting governs the channel `\(unknown.name)`; `sluice explain` explains it")
    }
  }

  private func render(
    _ documents: [PolicyDocument], as format: MatrixFormat, _ notice: String?
  ) -> String {
    let channels = Set(channel.isEmpty ? FlowMatrix.channels : channel.map(\.channel))
    let together = compare ? documents : nil
    let matrices = documents.map { FlowMatrix($0, among: together, channels: channels) }
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
