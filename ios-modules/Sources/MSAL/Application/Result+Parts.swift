extension Result {
  /// nil: it is a failure.
  var success: Success? { try? get() }

  /// nil: it is a success.
  var failure: Failure? {
    guard case .failure(let error) = self else { return nil }
    return error
  }
}
