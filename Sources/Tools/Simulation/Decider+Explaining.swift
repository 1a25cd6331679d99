internal import Diagnostics
internal import JSON
public import Model
public import Policy

extension Decider {
  /// The request of one line, and the verdict on the request, as values to print for people.
  ///
  /// - Parameter number: the number of the line, for messages.
  /// - Throws: ``RunError`` with line and column of the mistake.
  public mutating func explain(
    _ line: String, number: Int
  ) throws(RunError) -> (request: TransferRequest, verdict: ExplainedVerdict) {
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      let request = try self.request(fields)
      return (request, Explainer.explain(request, evaluate(request)))
    } catch {
      let place = Position(line: number, column: error.position.column)
      throw RunError(.file("-", place), error.message, rule: "request")
    }
  }
}
