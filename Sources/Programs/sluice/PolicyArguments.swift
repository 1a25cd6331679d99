internal import GraphDocuments
internal import Policy
internal import Simulation

/// Policies that a command line names.
enum PolicyArguments {
  /// All policies of all files; their warnings go to standard error.
  ///
  /// - Parameter codes: the warnings that are left out.
  /// - Throws: ``RunError`` where a policy cannot be read.
  static func documents(
    _ paths: [String], besides codes: Set<PolicyWarningCode> = []
  ) throws(RunError) -> [PolicyDocument] {
    var documents: [PolicyDocument] = []
    for path in paths { documents += try PolicyFiles.load(path) }
    for warning in documents.flatMap(\.warnings) where !codes.contains(warning.code) {
      Failure.print("\(warning)")
    }
    return documents
  }
}
