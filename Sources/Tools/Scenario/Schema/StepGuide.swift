/// The table of steps in `docs/scenarios.md`.
enum StepGuide {
  /// Lines of Markdown, in the order of ``Action/Word``.
  static var lines: [String] {
    Action.Word.allCases.flatMap { $0.row.guide }.map { "| \($0.form) | \($0.text) |" }
  }
}
