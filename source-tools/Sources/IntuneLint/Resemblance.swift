internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Compares a method with delegate methods that have a similar name, and finds the one that was probably intended.
struct Resemblance {
  private let name: MethodName
  /// Whether the method has a parameter of an SDK type.
  private let takesSDKType: Bool

  init(_ name: MethodName, _ function: FunctionDeclSyntax) {
    self.name = name
    takesSDKType = function.signature.parameterClause.parameters.contains {
      $0.type.trimmedDescription.contains("IntuneMAM")
    }
  }

  /// Returns the most similar member; nil if none is similar. Members that are not removed in `version` are preferred.
  func nearest(among members: [APIMember], in version: SDKVersion) -> APIMember? {
    let bases = members.compactMap(\.method?.base)
    guard let base = bases.contains(name.base) ? name.base : nearest(among: bases) else {
      return nil
    }
    return members.filter { $0.method?.base == base && isComparable($0) }
      .min { rank($0, version) < rank($1, version) }
  }

  /// Returns the name with the smallest edit distance. Names with the same first two letters are preferred, because the
  /// distance alone can mislead: `unenrollmentRequest` is closest to `enrollmentRequest`, but means `unenrollRequest`.
  private func nearest(among bases: [String]) -> String? {
    let limit = takesSDKType ? 5 : 2
    let alike = bases.filter { $0.prefix(2) == name.base.prefix(2) }
    return Suggestion.word(for: name.base, among: alike, within: limit)
      ?? Suggestion.word(for: name.base, among: bases, within: limit)
  }

  /// Returns whether both methods have arguments, or neither has. A method without arguments is not a misspelling of
  /// one with arguments.
  private func isComparable(_ member: APIMember) -> Bool {
    guard let method = member.method else { return false }
    return name.labels.isEmpty == method.labels.isEmpty
  }

  private func rank(_ member: APIMember, _ version: SDKVersion) -> (Int, Int, Int) {
    let labels = member.method?.labels ?? []
    let shared = Set(labels).intersection(name.labels).count
    let isGone = if case .removed = member.standing(in: version) { 1 } else { 0 }
    return (isGone, -shared, abs(labels.count - name.labels.count))
  }
}
