extension Case {
  enum Key: String, CaseIterable {
    case name, criterion, steps
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
      steps: try Step.readAll(fields.required(.steps), names))
  }
}
