internal import Activation
internal import ArgumentParser
internal import Bundle
internal import Findings
internal import JSON
internal import UniformTypes

struct BundleActivation: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "activation",
    abstract:
      "Say whether share and action extensions are offered for items, and which part of a rule decides.",
    discussion: """
      A > stands before the parts that decide. Extensions in an app are looked into with it, and types that it \
      declares count.

      Exit status: 0 every extension is offered, 1 one is not, 2 a bundle cannot be used, 64 usage.
      """)

  /// How the answers are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @OptionGroup var options: BundleOptions

  @Option(
    help: ArgumentHelp(
      "An item: uniform types with `,` between those of one attachment, and `+` between attachments.",
      valueName: "types"))
  var item: [String]

  @Flag(
    help:
      "Take the types with the prefix of the Intune App SDK, as while a policy restricts sending.")
  var restricted = false

  @Option(help: "Format of the answers; in JSON one object a line for each extension.")
  var format = Format.text

  func validate() throws {
    for text in item {
      for type in ActivationView.item(text).attachments.flatMap(\.registeredTypeIdentifiers)
      where type.isEmpty || type.contains("/") {
        throw ValidationError("`\(type)` is no uniform type, such as `public.jpeg`")
      }
    }
    if item.isEmpty { throw ValidationError("no item is named; add --item public.jpeg") }
  }

  func run() throws {
    let inputs: [Result<BundleInput, BundleError>]
    do throws(BundleError) {
      inputs = try options.inputs()
    } catch {
      throw Failure.report(error)
    }
    var isComplete = true
    var isOffered = true
    for input in inputs {
      switch input {
      case .success(.bundle(let bundle)):
        for problem in bundle.problems { Failure.print(problem.description) }
        for answer in answers(about: bundle) {
          isOffered = isOffered && answer.isOffered
          print(answer.rendered(format), terminator: "")
        }
      case .success(.entitlements(let file)):
        Failure.print("\(file.list.file): error: entitlements have no activation rule [bundle]")
        isComplete = false
      case .failure(let error):
        Failure.print(error.description)
        isComplete = false
      }
    }
    if !isComplete { throw Failure.input }
    if !isOffered { throw Failure.expectation }
  }

  private func answers(about bundle: AppBundle) -> [Answer] {
    let bundles = [bundle] + bundle.plugIns
    let types = TypeLibrary.system.adding(bundles.flatMap(\.info.declaredTypes))
    let items = item.map { text in
      let item = ActivationView.item(text)
      return restricted ? item.restricted : item
    }
    return bundles.filter(\.kind.isOfferedByRule).map { bundle in
      Answer(
        path: bundle.source.path,
        view: bundle.info.appExtension?.activationRule.map {
          ActivationView(rule: $0, items: items, types: types)
        })
    }
  }

  private struct Answer {
    var path: String
    /// nil: the extension has no rule.
    var view: ActivationView?

    var isOffered: Bool { view?.matches ?? false }

    func rendered(_ format: Format) -> String {
      switch format {
      case .text:
        "\(path): \(isOffered ? "offered" : "not offered")\(view == nil ? ", it has no activation rule" : "")\n"
          + (view?.text ?? "")
      case .json: json
      }
    }

    private var json: String {
      var writer = JSONWriter()
      writer.object { writer in
        writer.member("path", path)
        writer.member("offered", isOffered)
        if let view { writer.object("explanation") { view.explanation.writeMembers(to: &$0) } }
      }
      writer.endLine()
      return writer.text
    }
  }
}

extension SharedItem {
  /// In the types under which the SDK registers it.
  fileprivate var restricted: SharedItem {
    SharedItem(
      attachments: attachments.map { attachment in
        SharedAttachment(
          registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map(IntuneTwin.of))
      })
  }
}

extension ActivationExplanation {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("text", text)
    switch verdict {
    case .holds: writer.member("holds", true)
    case .fails: writer.member("holds", false)
    case .counts(let count, let total):
      writer.member("count", count)
      writer.member("of", total)
    }
    writer.member("detail", detail)
    writer.member("decides", decides)
    writer.member("line", line)
    writer.member("column", column)
    guard !parts.isEmpty else { return }
    writer.array("parts") { writer in
      for part in parts { writer.object { part.writeMembers(to: &$0) } }
    }
  }
}
