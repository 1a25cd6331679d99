extension Case {
  enum Key: String, CaseIterable {
    case name, criterion, underTest, steps
  }

  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Case] {
    let elements = try value.sequence()
    guard !elements.isEmpty else {
      throw value.mistake(.missingKey, "a scenario needs at least one case")
    }
    var cases: [Case] = []
    var known: Set<String> = []
    for element in elements {
      let next = try Case(element, names)
      guard known.insert(next.name).inserted else {
        throw element.mistake(.duplicateName, "two cases are called `\(next.name)`")
      }
      cases.append(next)
    }
    return cases
  }

  private init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "a case")
    let criterion = try fields[.criterion]?.text()
    if let criterion, !Name.isCriterion(criterion), let value = fields[.criterion] {
      throw value.mistake(
        .invalidValue, "`criterion` must read like `SEND-1`, found `\(criterion)`")
    }
    self.init(
      position: fields.position, name: try fields.required(.name).text(), criterion: criterion,
      underTest: try Self.appsUnderTest(fields[.underTest], names),
      steps: try Step.readAll(fields.required(.steps), names))
  }

  private static func appsUnderTest(
    _ value: YAMLValue?, _ names: Names
  ) throws(Mistake) -> [String] {
    var apps: [String] = []
    for element in try value?.oneOrMore() ?? [] {
      let app = try names.app(element)
      guard app.extensionKind == nil else {
        throw element.mistake(
          .invalidValue, "`\(app.name)` is an extension, and apps are put to the test")
      }
      guard !apps.contains(app.name) else {
        throw element.mistake(.duplicateName, "`\(app.name)` is named twice")
      }
      apps.append(app.name)
    }
    return apps
  }
}
