internal import Foundation
public import Output

/// The sources that parse, and what is wrong with the others.
public struct SourceReading: Sendable {
  /// The sources that parse, by path.
  public private(set) var sources: [(entry: SourceList.Entry, source: ParsedSource)] = []
  /// Why the others cannot be used.
  public private(set) var faults: [Diagnostic] = []

  /// Reads and parses all files of `list` that pass the trial.
  public init(_ list: SourceList, trying trial: SourceTrial) {
    for entry in list.entries { read(entry, trial) }
  }

  private mutating func read(_ entry: SourceList.Entry, _ trial: SourceTrial) {
    // One byte more than is parsed: a device has no end.
    guard let file = FileHandle(forReadingAtPath: entry.path),
      let bytes = try? file.read(upToCount: SourceTrial.sizeLimit + 1) ?? Data()
    else {
      faults.append(SourceError(entry.path, "cannot be read").diagnostic)
      return
    }
    do throws(SyntaxFaults) {
      sources.append((entry, try trial.parse(Array(bytes), file: entry.path)))
    } catch {
      faults += error.diagnostics
    }
  }
}
