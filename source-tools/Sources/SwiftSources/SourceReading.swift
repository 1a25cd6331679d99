internal import Foundation
public import Output

/// The result of reading sources: the files that parse, and diagnostics for the others.
public struct SourceReading: Sendable {
  /// The files that parse, sorted by path.
  public private(set) var sources: [(entry: SourceList.Entry, source: ParsedSource)] = []
  /// The errors of the other files.
  public private(set) var faults: [Diagnostic] = []

  /// Reads and parses all files of `list` that pass the trial.
  public init(_ list: SourceList, trying trial: SourceTrial) {
    for entry in list.entries { read(entry, trial) }
  }

  private mutating func read(_ entry: SourceList.Entry, _ trial: SourceTrial) {
    // Reads one byte more than the limit, because a device has no end.
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
