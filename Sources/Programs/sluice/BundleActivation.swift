internal import Activation
internal import ArgumentParser
internal import Bundle
internal import Diagnostics
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

      Exit status: 0 every extension is offered, 1 one is not, 2 a bundle or its rule cannot be used, or there is no \
      extension, 64 usage.
      """)

  /// The format of the answers.
  @OptionGroup var options: BundleOptions

  @Option(
    help: ArgumentHelp(
      "An attachment of the shared item: its uniform types with `,` between; repeated or after `+`, another one.",
      valueName: "types"))
  var item: [String]

  @Flag(help: "Share each --item as an item of its own, not as an attachment of one.")
  var apart = false

  @Flag(
    help:
      "Take the types with the prefix of the Intune App SDK, as while a policy restricts sending.")
  var restricted = false

  @Option(help: "Format of the answers; in JSON one object a line for each extension.")
  var format = TextFormat.text

  func validate() throws {
    for text in item {
      for types in UniformTypeArgument.attachments(text) {
        try UniformTypeArgument.check(types, of: text)
      }
    }
    if item.isEmpty { throw ValidationError("no item is named; add --item public.jpeg") }
  }

  func run() throws {
    let inputs = try options.inputs()
    var isComplete = true
    var isOffered = true
    var hasAnswer = false
    var told: Set<String> = []
    for input in inputs {
      switch input {
      case .success(.bundle(let bundle, let app)):
        let problems = bundle.problems + bundle.invalidRules
        for problem in problems { Failure.print(problem.description) }
        let types = types(declaredAround: bundle, in: app)
        for warning in UniformTypeArgument.warnings(about: namedTypes, in: types)
        where told.insert(warning).inserted {
          Failure.print(warning)
        }
        let answers = answers(about: bundle, types)
        for answer in answers {
          isOffered = isOffered && answer.isOffered
          print(answer.rendered(format), terminator: "")
        }
        // In a folder they lie beside the extensions that are meant.
        if answers.isEmpty, isNamed(bundle.source.path) {
          refuse(bundle.source.path, Self.absence)
          isComplete = false
        }
        hasAnswer = hasAnswer || !answers.isEmpty
        isComplete = isComplete && bundle.invalidRules.isEmpty
      case .success(.entitlements(let file)):
        // In a folder they lie beside the bundles that are meant.
        guard isNamed(file.list.file) else { break }
        refuse(file.list.file, "entitlements have no activation rule")
        isComplete = false
      case .failure(let error):
        Failure.print(error.description)
        isComplete = false
      }
    }
    if isComplete, !hasAnswer, let path = options.paths.first {
      refuse(path, Self.absence)
      isComplete = false
    }
    if !isComplete { throw Failure.input }
    if !isOffered { throw Failure.expectation }
  }

  private static let absence = "there is no share or action extension"

  /// Whether the command line names the file or folder itself, and not a folder around it.
  private func isNamed(_ path: String) -> Bool {
    options.paths.contains { $0 == path || $0 == path + "/" }
  }

  private func refuse(_ path: String, _ why: String) {
    Failure.print("\(path): error: \(why) [bundle]")
  }

  /// The types of all items.
  private var namedTypes: [String] { item.flatMap(UniformTypeArgument.attachments).flatMap(\.self) }

  /// What is shared: one item with an attachment for each --item, or an item for each.
  private var shared: [SharedItem] {
    let items = item.map { text in
      let item = SharedItem(
        attachments: UniformTypeArgument.attachments(text).map(
          SharedAttachment.init(registeredTypeIdentifiers:)))
      return restricted ? item.restricted : item
    }
    return apart ? items : [SharedItem(attachments: items.flatMap(\.attachments))]
  }

  /// The system's types, and those that the bundle, or the app that it is in, declares.
  private func types(declaredAround bundle: AppBundle, in app: AppBundle?) -> TypeLibrary {
    let surroundings = app ?? bundle
    return TypeLibrary.system.adding(
      ([surroundings] + surroundings.plugIns).flatMap(\.info.declaredTypes))
  }

  private func answers(about bundle: AppBundle, _ types: TypeLibrary) -> [Answer] {
    let bundles = [bundle] + bundle.plugIns
    let items = shared
    return bundles.filter(\.kind.isOfferedByRule).map { bundle in
      Answer(
        path: bundle.source.path, invalidRule: bundle.info.appExtension?.invalidRule?.message,
        view: bundle.info.appExtension?.activationRule.map {
          ActivationView(rule: $0, items: items, types: types)
        })
    }
  }

  private struct Answer {
    var path: String
    /// The fault of the rule; nil where there is none, and where there is no rule.
    var invalidRule: String?
    /// The explanation; nil where the extension has no rule to evaluate.
    var view: ActivationView?

    var isOffered: Bool { view?.matches ?? false }

    func rendered(_ format: TextFormat) -> String {
      switch format {
      case .text:
        "\(path): \(isOffered ? "offered" : "not offered")\(missingRule)\n" + (view?.text ?? "")
      case .json: json
      }
    }

    private var missingRule: String {
      if view != nil { return "" }
      return invalidRule == nil
        ? ", it has no activation rule" : ", its activation rule is not valid"
    }

    private var json: String {
      JSONWriter.objectLine { writer in
        writer.member("path", path)
        writer.member("offered", isOffered)
        writer.member("ruleError", invalidRule)
        if let view { writer.object("explanation") { view.explanation.writeMembers(to: &$0) } }
      }
    }
  }
}

extension SharedItem {
  /// The item in the types under which the SDK registers it.
  fileprivate var restricted: SharedItem {
    SharedItem(
      attachments: attachments.map { attachment in
        SharedAttachment(
          registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map(IntuneTypeAlias.of))
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
