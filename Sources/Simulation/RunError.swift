/// Input that cannot be run: a file that is not there, a policy or bundle that is wrong. What it says has
/// the form `file:line:col: error: sentence [rule]`.
public struct RunError: Error, Sendable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}
