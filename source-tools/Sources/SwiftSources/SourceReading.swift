internal import Foundation
public import Output

/// The result of reading sources: the parsed files, and diagnostics about the files that cannot be read or parsed.
public struct SourceReading: Sendable {
  /// The files that were parsed, sorted by path.
  public private(set) var sources: [(entry: SourceList.Entry, source: ParsedSource)] = []
  /// The errors in the files that cannot be read or parsed.
  public private(set) var faults: [Diagnostic] = []

  /// Reads and parses all files in `list`. This process parses a file only after the child process of `trial` has
  /// parsed it.
  public init(_ list: SourceList, trying trial: SourceTrial) {
    for entry in list.entries { read(entry, trial) }
  }

  private mutating func read(_ entry: SourceList.Entry, _ trial: SourceTrial) {
    // One byte more than the limit is read, because a device has no end.
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
