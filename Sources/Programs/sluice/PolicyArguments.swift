internal import Policy
internal import Simulation

/// Policies that a command line names.
enum PolicyArguments {
  /// All policies of all files; their warnings go to standard error.
  ///
  /// - Throws: ``RunError`` where a policy cannot be read.
  static func documents(_ paths: [String]) throws(RunError) -> [PolicyDocument] {
    var documents: [PolicyDocument] = []
    for path in paths { documents += try PolicyFiles.load(path) }
    for warning in documents.flatMap(\.warnings) { Failure.print("\(warning)") }
    return documents
  }
}
