internal import JSON

/// New text in the place of some bytes of an XML list.
struct ListEdit: Sendable, Equatable {
  var range: Range<Int>
  var text: String

  /// - Parameter edits: Edits that do not overlap; edits at the same place keep their order.
  static func apply(_ edits: [ListEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var place = 0
    for edit in sorted(edits) {
      result += bytes[place..<edit.range.lowerBound]
      result += edit.text.utf8
      place = edit.range.upperBound
    }
    return result + bytes[place...]
  }

  static func sorted(_ edits: [ListEdit]) -> [ListEdit] {
    edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }.map(\.element)
  }
}
