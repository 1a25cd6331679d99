/// The declaration of a step's word.
struct StepRow: Sendable {
  /// The effect of the step, in a phrase: for the schema, and for the help of `ctl` and `shell`.
  let summary: String
  let shape: StepShape
  /// An example of the word's value, as JSON.
  let example: String
  /// The lines of the table in `docs/scenarios.md`: the form of the step and its effect, as Markdown.
  let guide: [Guide]
  let requester: Requester
  /// The keys that an expectation of the step may have.
  let expects: Set<Expectation.Key>
  let read: @Sendable (YAMLValue, Names) throws(Mistake) -> Action

  struct Guide: Sendable {
    let form: String
    let text: String
  }

  /// The party that makes the step's request.
  enum Requester: Sendable {
    /// A task of an app, which acts in a window and on a thread.
    case task
    /// The app as a whole, the SDK, the system, an administrator, or none.
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
