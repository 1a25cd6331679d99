internal import ArgumentParser
internal import Bundle
internal import Diagnostics
internal import JSON

struct BundleShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show what bundles declare: identity, types, schemes, extension, rule, groups.",
    discussion: """
      In JSON, one object a line for each bundle. Mistakes go to standard error, and the other bundles are shown \
      all the same.

      Exit status: 0 shown, 2 a bundle cannot be used, 64 usage.
      """)

  /// The format in which a bundle is printed.
  @OptionGroup var options: BundleOptions

  @Option(help: "Format of what is shown.")
  var format = TextFormat.text

  func run() throws {
    let inputs = try options.inputs()
    var isComplete = true
    var separator = ""
    for input in inputs {
      switch input {
      case .success(let input):
        if format == .text { print(separator, terminator: "") }
        separator = "\n"
        print(rendered(input), terminator: "")
        if case .bundle(let bundle, _) = input {
          for problem in bundle.problems + bundle.invalidRules {
            Failure.print(problem.description)
          }
          if bundle.problems.contains(where: { $0.rule == .unreadable }) { isComplete = false }
        }
      case .failure(let error):
        Failure.print(error.description)
        isComplete = false
      }
    }
    if !isComplete { throw Failure.input }
  }

  private func rendered(_ input: BundleInput) -> String {
    guard format == .json else { return BundleView.text(of: input) }
    return JSONWriter.line { input.writeJSON(to: &$0) }
  }
}
