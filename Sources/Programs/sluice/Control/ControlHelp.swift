internal import Diagnostics
internal import Scenario
internal import Simulation

/// The help on requests to a running device.
struct ControlHelp {
  private let schema = StepSchema.installed

  /// The help on a step or command, or an overview.
  ///
  /// - Parameter words: the words after `help`: none, or the name of a step or command.
  /// - Throws: ``RunError`` where nothing has that name.
  func text(_ words: [String]) throws(RunError) -> String {
    guard let word = words.first else { return overview }
    guard words.count == 1 else {
      throw RunError(
        .path("step"), "`help` takes one name, found \(words.count)", rule: "request")
    }
    if let command = commands.first(where: { $0.word == word }) {
      return "\(word)  \(command.text)\n"
    }
    guard StepReader.words.contains(word) else { throw unknown(word) }
    return explanation(of: word)
  }

  private var commands: [(word: String, text: String)] {
    ControlCall.commands + [
      (word: "help", text: "this; help STEP tells the keys of a step, with an example"),
      (word: "exit", text: "leave the shell; the device goes on"),
    ]
  }

  private var overview: String {
    let steps = StepReader.words.map { (word: $0, text: schema?.text(of: $0) ?? "") }
    return "Commands\n" + Self.rows(commands) + "\nSteps\n" + Self.rows(steps)
  }

  private func explanation(of step: String) -> String {
    let keys = (schema?.keys(of: step) ?? []).map { key in
      (word: key.name, text: (key.text ?? "") + (key.isRequired ? " (needed)" : ""))
    }
    let example = schema?.example(of: step).map { "for example\n  \($0)\n" } ?? ""
    return "\(step)  \(schema?.text(of: step) ?? "")\n" + Self.rows(keys) + example
  }

  private static func rows(_ rows: [(word: String, text: String)]) -> String {
    let width = rows.map(\.word.count).max() ?? 0
    return rows.map { row in
      let word = row.word + String(repeating: " ", count: width - row.word.count)
      let line = "  \(word)  \(row.text)"
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }

  private func unknown(_ word: String) -> RunError {
    let known = commands.map(\.word) + StepReader.words
    let hint = Suggestion.text(StepReader.nearest(to: word, among: known))
    return RunError(
      .path("step"), "no step or command is called `\(word)`\(hint)", rule: "request")
  }
}
