internal import Analysis
internal import ArgumentParser
internal import Model
internal import Policy
internal import Simulation
internal import Studio
internal import Tenants

struct Matrix: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Show what policies allow and block, as tables of flows between accounts.",
    discussion: """
      sluice matrix base.json stricter.json --compare --channel print

      Each policy has its own table or, with --compare, its own column, as if it applied to every managed account. \
      No process is started. Without --compare, the ways out follow each table: the kinds of transfers by which org \
      data can reach an end without a policy, by the change that closes them.

      sluice matrix --tenant exports/ --user anna@contoso.com

      With --tenant, or a folder of policies that are assigned to groups, each set of policies that apply together \
      in an app has a table, with the users who have them.

      Exit status: 0 shown, 2 a policy is invalid or the file cannot be written, 64 usage.
      """)

  @OptionGroup var policies: PolicySourceOptions

  @Flag(help: "Show the policies side by side, and mark the flows that they decide differently.")
  var compare = false

  @Option(
    help: "Show only this channel; can be repeated. (values: \(ChannelArgument.names))",
    completion: .list(Channel.names), transform: { try ChannelArgument($0) })
  var channel: [ChannelArgument] = []

  @Option(help: "Format of the tables.")
  var format = TableFormat.text

  @OptionGroup var output: OutputOptions<TableFormat>

  @Flag(help: "In text, name the rules and settings that decided. The other formats always do.")
  var reasons = false

  func perform() throws(RunError) {
    switch try policies.source() {
    case .policies(let documents):
      try output.check(isNoneOf: documents.map(\.file))
      let notice = documents.membershipNotice(.shown)
      if let notice, output.formats(format).contains(where: { $0 == .csv || $0 == .html }) {
        Failure.print("sluice: note: \(notice) [assignments]")
      }
      let matrices = documents.map {
        FlowMatrix($0, among: compare ? documents : nil, channels: channels)
      }
      try output.write(format) { format, _ in render(matrices, of: documents, as: format, notice) }
    case .tenant(let query):
      try output.check(isNoneOf: query.tenant.policies.map(\.file))
      let found = try query.policies()
      let policies = found.groups.map(\.policy)
      let matrices = found.groups.map { group in
        var matrix = FlowMatrix(
          group.policy, among: compare ? policies : nil, channels: channels, on: [group.state])
        matrix.recipients = group.recipients
        return matrix
      }
      try output.write(format) { format, _ in
        render(matrices, of: policies, as: format, without: found.unprotected)
      }
    }
  }

  func validate() throws {
    if let unknown = channel.first(where: { !FlowMatrix.channels.contains($0.channel) }) {
      throw ValidationError(
        "no policy setting governs the channel `\(unknown.name)`; for a verdict, use `sluice explain --channel \(unknown.name)`"
      )
    }
  }

  private var channels: Set<Channel> {
    Set(channel.isEmpty ? FlowMatrix.channels : channel.map(\.channel))
  }

  private func render(
    _ matrices: [FlowMatrix], of policies: [PolicyDocument], as format: TableFormat,
    _ notice: String? = nil, without unprotected: [PolicyRecipients] = []
  ) -> String {
    let head = notice.map { "notice: \($0)\n\n" } ?? ""
    switch format {
    case .text where compare:
      return head + PolicyTable(matrices).text(detail: detail, unprotected: unprotected)
    case .html where compare:
      return PolicyTable(matrices).html(
        beginning: Self.differences(of: policies), unprotected: unprotected)
    case .text: return head + matrices.text(detail: detail, unprotected: unprotected)
    case .json: return matrices.json(notice: notice, unprotected: unprotected)
    case .csv: return matrices.csv()
    case .html: return matrices.html(unprotected: unprotected)
    }
  }

  /// The maximum number of policies for which the page states, in sentences, the differences from the first policy.
  private static let mostCompared = 5

  /// Returns sentences that state how each policy differs from the first one, as in `sluice studio`.
  private static func differences(of policies: [PolicyDocument]) -> [String] {
    guard let first = policies.first else { return [] }
    let others = policies.enumerated().dropFirst()
    let sentences = others.prefix(mostCompared).flatMap { place, policy in
      let name = "\(PolicyTable.letter(place)) (\(policy.displayName))"
      let base = others.count > 1 ? " instead of \(PolicyTable.letter(0))" : ""
      return ComparisonSummary(from: first, to: policy, called: name + base).changes
    }
    return sentences
      + (others.count > mostCompared
        ? ["The tables also have the other policies."]
        : [])
  }

  private var detail: FlowMatrix.Detail { reasons ? .reasons : .outcomes }
}
