internal import JSON
public import Policy
public import Model

extension Decider {
  /// The request of one line, and the verdict on it, for a person to read.
  ///
  /// - Parameter number: the line's, for messages.
  /// - Throws: ``RunError`` that names line and column of what is wrong.
  public mutating func explain(
    _ line: String, number: Int
  ) throws(RunError) -> (request: TransferRequest, verdict: ExplainedVerdict) {
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      let request = try self.request(fields)
      return (request, Explainer.explain(request, evaluate(request)))
    } catch {
      throw RunError(
        "-:\(number):\(error.position.column): error: \(error.message) [request]")
    }
  }
}
