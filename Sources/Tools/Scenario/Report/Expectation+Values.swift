extension Expectation {
  /// Compares the values of an app's configuration. Values are private: unless they may be shown, a comparison states
  /// only their number and whether they are those that are expected.
  func compareValues(with observation: Observation) -> [Comparison] {
    guard let values else { return [] }
    let isMet = values == observation.values
    guard observation.showsValues else {
      let expected = Self.words(for: values.count)
      let found = Self.words(for: observation.values?.count ?? 0)
      let isOther = !isMet && expected == found
      return [
        Comparison(expected: expected, found: isOther ? "another" : found, isMet: isMet)
      ]
    }
    return [
      Comparison(
        expected: Self.words(for: values), found: Self.words(for: observation.values ?? []),
        isMet: isMet)
    ]
  }

  private static func words(for count: Int) -> String {
    switch count {
    case 0: "no configured value"
    case 1: "one configured value"
    default: "\(count) configured values"  // open: any larger number
    }
  }

  private static func words(for values: [String]) -> String {
    guard !values.isEmpty else { return words(for: 0) }
    let list = values.map { Excerpt($0).words }.joined(separator: ", ")
    return "\(words(for: values.count)) \(list)"
  }
}
