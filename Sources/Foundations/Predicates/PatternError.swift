/// The reason why a text is no regular expression that can be matched here.
package struct PatternError: Error, Equatable {
  /// The fault that was found: lower case, no full stop.
  package var message: String
}
