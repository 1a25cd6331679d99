extension Action {
  /// Steps that all start before any ends.
  public struct Concurrency: StepDetail {
    /// The steps, at least one; none is `concurrently` itself, has a count, or tells an extension what to hand back.
    public var steps: [Step]

    package init(steps: [Step]) { self.steps = steps }
  }
}

extension Action.Concurrency {
  public var text: String { "at once: \(steps.map(\.text).joined(separator: "; "))" }
}

extension Action.Concurrency {
  static let step = StepRow(
    "Steps that start before any of them ends; none is `concurrently` itself",
    .value(.reference("steps")),
    example: #"[{"launch": "mail"}, {"launch": "viewer"}]"#,
    [
      "`concurrently: [ … ]`": "steps that start before any of them ends; none has `repeat`"
    ]
  ) { (value, names) throws(Mistake) in
    .concurrently(try Action.Concurrency(steps: Action.Concurrency.steps(value, names)))
  }

  static func steps(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Step] {
    let steps = try Step.readAll(value, names)
    for step in steps {
      if case .concurrently = step.action {
        throw Mistake(
          .invalidValue, at: step.position, "`concurrently` cannot hold another `concurrently`")
      }
      guard step.count == 1 else {
        throw Mistake(
          .invalidValue, at: step.position, "a step within `concurrently` cannot have `repeat`")
      }
      if case .share(let share) = step.action, let key = share.runKey {
        throw Mistake(
          .invalidValue, at: step.position, "a step within `concurrently` cannot have `\(key)`")
      }
    }
    return steps
  }
}
