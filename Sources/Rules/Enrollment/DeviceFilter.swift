public import Model

/// The devices that a conditional access policy applies to, or that it spares.
///
/// Source: Microsoft Learn, "Conditional Access: Filter for devices".
public struct DeviceFilter: Sendable, Equatable {
  /// The effect of the filter on matching devices.
  public enum Mode: String, Sendable, CaseIterable {
    case include, exclude
  }

  public var mode: Mode
  /// The rule; nil: the rule in the file cannot be read.
  public var rule: DeviceFilterRule?

  /// Creates a filter.
  public init(mode: Mode, rule: DeviceFilterRule?) {
    self.mode = mode
    self.rule = rule
  }

  /// Whether the policy applies to the device; nil: that cannot be told.
  public func admits(_ device: DirectoryDevice) -> Bool? {
    rule?.matches(device).map { $0 == (mode == .include) }
  }
}

/// The condition that a filter puts on a device.
public indirect enum DeviceFilterRule: Sendable, Equatable {
  /// `values` are in lower case; nil is `null`.
  case comparison(DirectoryAttribute, DeviceFilterOperator, values: [String]?)
  case not(DeviceFilterRule)
  case and(DeviceFilterRule, DeviceFilterRule)
  case or(DeviceFilterRule, DeviceFilterRule)

  /// Whether the device meets the condition; nil: that depends on facts that nobody has told about the device.
  public func matches(_ device: DirectoryDevice) -> Bool? {
    switch self {
    case .comparison(let attribute, let `operator`, let values):
      Self.compare(attribute, `operator`, values, on: device)
    case .not(let rule): rule.matches(device).map { !$0 }
    case .and(let left, let right):
      switch (left.matches(device), right.matches(device)) {
      case (false?, _), (_, false?): false
      case (true?, true?): true
      case (nil, _), (_, nil): nil
      }
    case .or(let left, let right):
      switch (left.matches(device), right.matches(device)) {
      case (true?, _), (_, true?): true
      case (false?, false?): false
      case (nil, _), (_, nil): nil
      }
    }
  }

  private static func compare(
    _ attribute: DirectoryAttribute, _ operator: DeviceFilterOperator, _ values: [String]?,
    on device: DirectoryDevice
  ) -> Bool? {
    // "Policy behavior with filter for devices": whatever the operator is, these do not count.
    if attribute.isExtension, device.isRegistered, !device.hasExtensionAttributes { return false }
    switch (device[attribute], values) {
    case (.unknown, _): return nil
    case (.null, nil): return !`operator`.isNegative
    case (.null, .some), (.strings, nil): return `operator`.isNegative
    case (.strings(let strings), .some(let values)):
      let isMet = strings.contains { string in
        values.contains { `operator`.holds(string.lowercased(), $0, of: attribute.kind) }
      }
      return isMet != `operator`.isNegative
    }
  }
}

/// The operator of a comparison of an attribute.
public enum DeviceFilterOperator: String, Sendable, CaseIterable {
  case eq, ne, startsWith, notStartsWith, endsWith, notEndsWith, contains, notContains
  case `in`, notIn

  public var isNegative: Bool { self == .ne || rawValue.hasPrefix("not") }

  /// The operator as a rule writes it: `-eq`.
  public var spelling: String { "-\(rawValue)" }

  /// The operator of that name, in any casing, with or without its hyphen; nil where there is none.
  init?(_ word: String) {
    let name = word.hasPrefix("-") ? String(word.dropFirst()) : word
    guard let known = Self.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else { return nil }
    self = known
  }

  /// Whether the values compare, without regard to ``isNegative``.
  fileprivate func holds(
    _ string: String, _ value: String, of kind: DirectoryAttribute.Kind
  ) -> Bool {
    switch self {
    case .eq, .ne, .in, .notIn: string == value
    case .startsWith, .notStartsWith: string.hasPrefix(value)
    case .endsWith, .notEndsWith: string.hasSuffix(value)
    case .contains, .notContains:
      kind == .collection ? string == value : value.isEmpty || string.contains(value)
    }
  }

  /// The operators that attributes of a kind support.
  ///
  /// Operators for lists of words were among Learn's own examples, and are still found in administrators' rules.
  static func supported(by kind: DirectoryAttribute.Kind) -> [DeviceFilterOperator] {
    switch kind {
    case .identifier, .word: [.eq, .ne, .in, .notIn]
    case .collection: [.contains, .notContains]
    case .text: allCases
    }
  }
}
