internal import Foundation
public import Testing

/// Compares a text with the file that holds it as it looked when somebody last read it.
///
/// `SLUICE_RECORD=1` writes the file instead; such a run fails, because it tests nothing.
///
/// - Parameter file: the path from the root of the repository.
public func checkGolden(
  _ text: String, _ file: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let path = Repository.path(file)
  if ProcessInfo.processInfo.environment["SLUICE_RECORD"] == "1" {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    Issue.record("recorded \(file)", sourceLocation: sourceLocation)
  } else {
    let recorded = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    #expect(
      recorded == text, "`SLUICE_RECORD=1` writes \(file) again", sourceLocation: sourceLocation)
  }
}
