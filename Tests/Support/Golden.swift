internal import Foundation
public import Testing

/// Compares a text with a golden file, which a person has reviewed.
///
/// With `SLUICE_RECORD=1`, the file is written instead and the test fails, because it checks nothing.
///
/// - Parameter file: The path relative to the repository root.
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
