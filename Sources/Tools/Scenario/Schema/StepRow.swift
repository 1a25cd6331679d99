/// All that is said of a step's word.
struct StepRow: Sendable {
  /// What it does, in a phrase: for the schema, and for the help of `ctl` and `shell`.
  let summary: String
  let shape: StepShape
  /// What may follow the word, as JSON.
  let example: String
  /// Lines of the table in `docs/scenarios.md`: the step as it is written, and what it does, as Markdown.
  let guide: [Guide]
  let requester: Requester
  /// What it can be expected to show.
  let expects: Set<Expectation.Key>
  let read: @Sendable (YAMLValue, Names) throws(Mistake) -> Action

  struct Guide: Sendable {
    let form: String
    let text: String
  }

  /// Who makes the step's request.
  enum Requester: Sendable {
    /// A task of an app, which acts in a window and on a thread.
    case task
    /// The app as a whole, the SDK, the system, an administrator, or nobody.
    case another
  }

  init(
    _ summary: String, _ shape: StepShape, example: String, _ guide: KeyValuePairs<String, String>,
    by requester: Requester = .another, expects: Set<Expectation.Key> = [],
    read: @escaping @Sendable (YAMLValue, Names) throws(Mistake) -> Action
  ) {
    self.summary = summary
    self.shape = shape
    self.example = example
    self.guide = guide.map { Guide(form: $0.key, text: $0.value) }
    self.requester = requester
    self.expects = expects
    self.read = read
  }
}
