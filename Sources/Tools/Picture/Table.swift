/// Values, each once, by their numbers.
struct Table<Value: Hashable> {
  private(set) var values: [Value] = []
  private var numbers: [Value: Int] = [:]

  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    values.append(value)
    numbers[value] = values.count - 1
    return values.count - 1
  }

  /// The number of a value that is there; nil where it is not.
  func known(_ value: Value) -> Int? { numbers[value] }

  /// - Returns: nil where the value is new and there are `limit` already.
  mutating func number(of value: Value, atMost limit: Int) -> Int? {
    numbers[value] ?? (values.count < limit ? number(of: value) : nil)
  }
}

extension Table: Sendable where Value: Sendable {}
