/// Removes from a list all elements that it fails without (delta debugging).
///
/// Source: Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input" (2002),
/// algorithm ddmin.
struct Shrinker<Element> {
  /// The number of lists that may be tried.
  let limit: Int
  /// A closure that tells whether a list fails in the same way.
  let fails: ([Element]) -> Bool

  /// Removes elements while the list still fails.
  ///
  /// - Parameter elements: a list that fails.
  /// - Returns: a list that fails, and none of whose elements can be left out, unless the limit
  ///   was reached before.
  func shrink(_ elements: [Element]) -> [Element] {
    var rest = elements
    var parts = 2
    var tries = 0
    while rest.count > 1, tries < limit {
      var smaller: [Element]?
      for part in 0..<parts where smaller == nil && tries < limit {
        let list = rest.without(part, of: parts)
        tries += 1
        if fails(list) { smaller = list }
      }
      if let smaller {
        rest = smaller
        parts = max(parts - 1, 2)
      } else if parts < rest.count {
        parts = min(parts * 2, rest.count)
      } else {
        break
      }
    }
    return rest
  }
}

extension Array {
  /// All elements but the `part`th of `parts` parts of about the same size.
  fileprivate func without(_ part: Int, of parts: Int) -> [Element] {
    let start = count * part / parts
    let end = count * (part + 1) / parts
    return Array(self[..<start] + self[end...])
  }
}
