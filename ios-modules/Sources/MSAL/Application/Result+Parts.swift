extension Result {
  /// The success value; nil for a failure.
  var success: Success? { try? get() }

  /// The error; nil for a success.
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
