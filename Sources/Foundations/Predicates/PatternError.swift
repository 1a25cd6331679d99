/// Why a text is no regular expression that can be matched here.
package struct PatternError: Error, Equatable {
  /// Lower case, no full stop: what was found.
  package var message: String
}
