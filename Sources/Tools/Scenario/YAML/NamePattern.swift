import Encodings

/// A pattern for several names, such as `shop-{1..1000}` for `shop-1` to `shop-1000`.
struct NamePattern {
  private let prefix: Substring
  let numbers: ClosedRange<Int>
  private let suffix: Substring

  /// The maximum number of names that a pattern stands for.
  static let mostNames = 100_000

  /// The placeholder for an app's number. Values may contain it in the definition of an app whose name is a pattern.
  static let placeholder = "{n}"

  /// Reads a pattern. Returns nil if the text contains no brace.
  init?(_ text: String, at position: Position) throws(InputError) {
    guard text.contains("{") else { return nil }
    let parts = text.split(separator: "{", omittingEmptySubsequences: false)
    let ends = parts[1].split(separator: "}", omittingEmptySubsequences: false)
    guard parts.count == 2, ends.count == 2, let numbers = Self.numbers(ends[0]) else {
      throw InputError(
        .invalidValue, at: position,
        "`\(text)` is not a name with one range of numbers, such as `shop-{1..1000}`")
    }
    guard numbers.count <= Self.mostNames else {
      throw InputError(
        .tooLarge, at: position,
        "`\(text)` stands for more than \(Self.mostNames) names")
    }
    (prefix, suffix, self.numbers) = (parts[0], ends[1], numbers)
  }

  private static func numbers(_ text: Substring) -> ClosedRange<Int>? {
    guard let dots = text.firstRange(of: ".."),
      let first = number(text[..<dots.lowerBound]), let last = number(text[dots.upperBound...]),
      first <= last
    else { return nil }
    return first...last
  }

  /// Reads a whole number of up to nine digits; nil for any other text, including a number with a sign or leading
  /// zeros.
  private static func number(_ text: Substring) -> Int? {
    guard text.count <= 9, let number = Int(text), String(number) == text, number >= 0 else {
      return nil
    }
    return number
  }

  func name(_ number: Int) -> String { "\(prefix)\(number)\(suffix)" }

  var names: [String] { numbers.map(name) }
}

extension YAMLValue {
  /// If the value's text is a pattern, returns one value for each of its names. Returns nil if the text contains no
  /// brace.
  func expandedNames() throws(InputError) -> [YAMLValue]? {
    guard let pattern = try NamePattern(text(), at: position) else { return nil }
    return pattern.names.map {
      var value = self
      value.kind = .scalar($0, isPlain: true)
      return value
    }
  }
}

extension Scenario {
  /// Returns the names of the guests that `name` stands for. The name of an app, or a pattern of such names, stands for
  /// all guests of the apps. Any other name stands for itself.
  package func guests(named name: String) -> [String] {
    guard let pattern = try? NamePattern(name, at: Position(line: 1, column: 1)) else {
      return appIndex[name]?.guests ?? [name]
    }
    return pattern.names.flatMap { appIndex[$0]?.guests ?? [$0] }
  }
}

// MARK: - Definitions of several apps

extension YAMLValue {
  /// Returns the scenario with each pattern in `apps` replaced by one app for each of the pattern's names.
  ///
  /// In the values of each app, `{n}` becomes the app's number. Values keep their positions, so errors refer to the
  /// text. The errors in patterns are collected, and the apps of invalid patterns are left out.
  func expandingApps(collecting errors: inout InputErrorCollector) -> YAMLValue {
    guard case .mapping(var members) = kind,
      let index = members.firstIndex(where: { $0.key == Scenario.Key.apps.rawValue }),
      case .mapping(let apps) = members[index].value.kind,
      apps.contains(where: { $0.key.contains("{") })
    else { return self }
    var expansion = AppExpansion(count: count)
    for app in apps {
      errors.read { () throws(InputError) in try expansion.add(app) }
    }
    members[index].value.kind = .mapping(expansion.apps)
    var value = self
    value.kind = .mapping(members)
    return value
  }

  /// Returns the value, with `{n}` in texts and keys replaced by `number`.
  fileprivate func numbered(_ number: Int) -> YAMLValue {
    var value = self
    switch kind {
    case .scalar(let text, let isPlain):
      guard text.contains("{") else { return self }
      value.kind = .scalar(Self.numbered(text, number), isPlain: isPlain)
    case .sequence(let elements): value.kind = .sequence(elements.map { $0.numbered(number) })
    case .mapping(let members):
      value.kind = .mapping(
        members.map {
          Member(
            key: Self.numbered($0.key, number), position: $0.position,
            value: $0.value.numbered(number))
        })
    }
    return value
  }

  private static func numbered(_ text: String, _ number: Int) -> String {
    text.replacing(NamePattern.placeholder, with: String(number))
  }
}

/// The definitions of apps. A pattern becomes one definition for each of its names.
private struct AppExpansion {
  private(set) var apps: [YAMLValue.Member] = []
  private var positions: [String: Position] = [:]
  /// The number of values in the scenario, including the values of all apps that have been added so far.
  private var count: Int

  init(count: Int) { self.count = count }

  mutating func add(_ app: YAMLValue.Member) throws(InputError) {
    guard let pattern = try NamePattern(app.key, at: app.position) else { return try append(app) }
    let (perApp, more) = app.value.count.multipliedReportingOverflow(by: pattern.numbers.count)
    count += more ? Scenario.mostValues : perApp
    guard count <= Scenario.mostValues else {
      throw InputError(
        .tooLarge, at: app.position,
        "with \(pattern.numbers.count) apps called `\(app.key)`, the file contains more than "
          + "\(Scenario.mostValues) values")
    }
    var mix = try AppMix(app.value)
    for number in pattern.numbers {
      let value = mix.next().numbered(number)
      try append(.init(key: pattern.name(number), position: app.position, value: value))
    }
  }

  private mutating func append(_ app: YAMLValue.Member) throws(InputError) {
    if let first = positions.updateValue(app.position, forKey: app.key) {
      positions[app.key] = first
      throw InputError(
        .duplicateKey, at: app.position,
        "the key `\(app.key)` is given twice, first on line \(first.line)")
    }
    apps.append(app)
  }
}

/// The weighted variants for the apps of one pattern. The variants alternate, so among the apps defined up to any
/// point, the share of each variant is close to its weight.
private struct AppMix {
  private struct Variant {
    let value: YAMLValue
    let weight: Int
    var taken = 0
  }

  private var variants: [Variant] = []
  private var total = 0
  private var count = 0

  private enum Key {
    static let mix = "mix", weight = "weight"
  }

  init(_ value: YAMLValue) throws(InputError) {
    guard let mix = value.members.first(where: { $0.key == Key.mix }) else {
      variants = [Variant(value: value, weight: 1)]
      total = 1
      return
    }
    let common = value.without(Key.mix)
    let elements = try mix.value.sequence()
    guard !elements.isEmpty else {
      throw mix.value.mistake(.missingKey, "`mix` needs at least one variant")
    }
    for element in elements {
      let members = try element.mapping()
      guard let weight = members.first(where: { $0.key == Key.weight }) else {
        throw element.mistake(.missingKey, "a variant of a mix needs `weight`")
      }
      let own = members.filter { $0.key != Key.weight }
      for member in own where common.members.contains(where: { $0.key == member.key }) {
        throw InputError(
          .conflictingKeys, at: member.position,
          "`\(member.key)` is given both inside and outside of `mix`; leave one out")
      }
      var variant = common
      variant.kind = .mapping(common.members + own)
      variants.append(Variant(value: variant, weight: try weight.value.int(in: 1...1_000)))
    }
    total = variants.reduce(0) { $0 + $1.weight }
  }

  /// Returns the definition of the next app. The app gets the variant whose share of the definitions so far is furthest
  /// below the variant's weight.
  mutating func next() -> YAMLValue {
    count += 1
    let index = variants.indices.max { deficit(of: $0) < deficit(of: $1) } ?? 0
    variants[index].taken += 1
    return variants[index].value
  }

  private func deficit(of index: Int) -> Int {
    variants[index].weight * count - variants[index].taken * total
  }
}
