import Model
import Testing

/// Tests every query to every configuration of up to three dictionaries over a small domain. Each
/// query is made twice.
struct NaiveConfigurationTests {
  private static let values: [ConfigurationValue?] = [
    nil, .text("true"), .text("false"), .text("7"), .text("a"), .integer(0), .integer(12),
    .boolean(true), .list([.text("a")]),
  ]

  private static let dictionaries: [[String: ConfigurationValue]] = values.flatMap { value in
    [false, true].map { isDefault in
      var dictionary: [String: ConfigurationValue] = [:]
      dictionary["key"] = value
      if isDefault { dictionary["__IsDefault"] = .boolean(true) }
      return dictionary
    }
  }

  private static let questions: [ConfigurationQuestion] =
    ConfigurationQuestion.ValueType.allCases.flatMap { type in
      ConfigurationQuestion.Query.allCases.map {
        ConfigurationQuestion(account: "a", key: "key", type: type, query: $0)
      }.filter(\.isMeaningful)
    }

  @Test func `configuration queries agree with a naive evaluator`() {
    var compared = 0
    for first in Self.dictionaries {
      for second in Self.dictionaries {
        for third in Self.dictionaries {
          compare([first, second, third])
          compared += 1
        }
      }
      compare([first])
    }
    compare([])
    #expect(compared == 18 * 18 * 18)
  }

  private func compare(_ dictionaries: [[String: ConfigurationValue]]) {
    let configuration = DeliveredConfiguration(dictionaries)
    let naive = NaiveConfiguration(dictionaries: dictionaries)
    for question in Self.questions
    where question.answer(of: configuration) != naive.answer(question) {
      Issue.record("\(question) of \(dictionaries)")
    }
    if configuration.hasConflict(for: "key") != naive.hasConflict("key") {
      Issue.record("conflict of \(dictionaries)")
    }
  }
}
