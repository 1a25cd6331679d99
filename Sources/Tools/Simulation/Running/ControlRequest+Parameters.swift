internal import Diagnostics
internal import JSON
internal import Scenario

extension ControlRequest {
  var isUnknown: ControlError {
    let known = ControlMethod.allCases.map(\.rawValue) + StepReader.words
    let hint = known.first { $0.lowercased() == method.lowercased() }
    return ControlError(
      .unknownMethod,
      "no method is called `\(method)`" + Suggestion.text(hint))
  }

  func checkNoParameters() throws(ControlError) {
    guard parameters?.members?.isEmpty ?? parameters?.array?.isEmpty ?? true else {
      throw ControlError(.invalidParameters, "`\(method)` takes no parameters")
    }
  }

  func members() throws(ControlError) -> [JSONValue.Member] {
    guard let parameters else { return [] }
    guard let members = parameters.members else {
      throw ControlError(.invalidParameters, "`\(method)` takes its parameters by name")
    }
    return members
  }

  /// The object of parameters by name, or the only one by position.
  func onlyParameter() throws(ControlError) -> JSONValue {
    guard let parameters else {
      return JSONValue(.object([]), at: Position(line: 1, column: 1))
    }
    guard let elements = parameters.array else { return parameters }
    guard elements.count == 1, let only = elements.first else {
      throw ControlError(
        .invalidParameters, "`\(method)` takes one parameter by position, found \(elements.count)")
    }
    return only
  }
}
