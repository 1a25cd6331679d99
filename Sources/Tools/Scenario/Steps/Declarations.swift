extension Action {
  /// A folder of declarations that the administrator applies.
  public struct Declarations: StepDetail {
    /// The path of the folder as written: relative to the scenario file; nil: all declarations are withdrawn.
    public var path: String?
  }
}

extension Action.Declarations {
  public var text: String {
    guard let path else { return "the administrator withdraws all declarations" }
    return "the administrator applies the declarations of `\(short(path))`"
  }
}

extension Action.Declarations {
  static let step = StepRow(
    "The administrator applies the declarations of a folder, relative to the scenario file, in place of all there were; `none` withdraws them",
    .value(.name),
    example: #""declarations/landmarks""#,
    [
      "`declarations: PATH`":
        "the administrator applies the [declarations](declarations.md) of a folder, or a `.mobileconfig` by itself, in place of all there were; `none` withdraws them. What is wrong or odd about them is a note of the step"
    ]
  ) { (value, names) throws(Mistake) in .declarations(try Action.Declarations(value)) }

  init(_ value: YAMLValue) throws(Mistake) {
    let path = try value.text()
    self.path = path == "none" ? nil : path
  }
}
