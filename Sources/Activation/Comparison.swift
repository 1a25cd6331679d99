package struct Comparison: Sendable, Equatable {
  /// nil where the left side is a single value.
  package var quantifier: Quantifier?
  package var left: Expression
  package var comparator: Comparator
  package var options: Options
  package var right: Expression
  var shape: Shape
  /// What the right side of `MATCHES` was made into.
  var pattern: Pattern?

  package enum Quantifier: String, Sendable, CaseIterable {
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case no = "NONE"
  }

  package enum Comparator: String, Sendable, CaseIterable {
    case conformsTo = "UTI-CONFORMS-TO"
    case typeEquals = "UTI-EQUALS"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case isIn = "IN"
  }

  /// What is compared with what.
  enum Shape: Sendable {
    case numbers
    /// Two strings, or with a quantifier each of a list and a string.
    case texts
    case textInList
    case numberInList
    case listHasText
    case listHasNumber

    init(_ comparator: Comparator, left: ValueKind, right: ValueKind) {
      self =
        switch (comparator, left, right) {
        case (.isIn, _, .texts): .textInList
        case (.isIn, _, .numbers): .numberInList
        case (.contains, .numbers, _): .listHasNumber
        case (.contains, .texts, _): .listHasText
        case (_, .number, _): .numbers
        default: .texts
        }
    }
  }

  /// How text compares.
  package struct Options: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// `c`: without regard to case.
    package static let caseInsensitive = Options(rawValue: 1)
    /// `d`: without regard to accents.
    package static let diacriticInsensitive = Options(rawValue: 2)
  }

  package static func == (left: Comparison, right: Comparison) -> Bool {
    left.quantifier == right.quantifier && left.left == right.left
      && left.comparator == right.comparator && left.options == right.options
      && left.right == right.right
  }
}
