/// Why a text is no regular expression that can be matched here.
struct PatternError: Error, Equatable {
  /// Lower case, no full stop: what was found.
  var message: String
}
