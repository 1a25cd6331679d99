package import JSON

/// The result of a search for an account's remains.
package struct ResidueReport: Sendable {
  /// Findings, sorted; empty where nothing is left.
  package let findings: [ResidueFinding]
  /// Remarks on what was not searched, and what to know about it.
  package let notes: [String]
  /// The account that was searched for, as it was named.
  package let account: String
  /// The extent of the search.
  package let extent: Extent

  /// Numbers of what was searched.
  package struct Extent: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
    package var rows = 0
  }

  package var isClean: Bool { findings.isEmpty }

  /// The report as text: a line for each finding and note, then a sentence.
  package var text: String {
    var lines = findings.map { finding in
      let place = finding.offset.map { "\(finding.place), byte \($0)" } ?? finding.place
      return "\(place): \(finding.words)"
    }
    lines += notes.map { "note: \($0)" }
    let extent = "\(extent.files) files, \(extent.bytes) bytes and \(extent.rows) rows searched"
    switch findings.count {
    case 0: lines.append("clean: nothing of `\(account)` is left; \(extent)")
    case 1: lines.append("1 finding about `\(account)`; \(extent)")
    case let count: lines.append("\(count) findings about `\(account)`; \(extent)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Writes the report as a JSON object.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("account", account)
      writer.member("isClean", isClean)
      writer.object("searched") { writer in
        writer.member("files", extent.files)
        writer.member("bytes", extent.bytes)
        writer.member("rows", extent.rows)
      }
      writer.array("findings") { writer in
        for finding in findings { finding.write(to: &writer) }
      }
      writer.array("notes") { writer in
        for note in notes { writer.string(note) }
      }
    }
  }
}

extension ResidueFinding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("store", store.rawValue)
      writer.member("place", place)
      writer.member("offset", offset)
      writer.member("kind", kind)
      switch matter {
      case .text(let text):
        writer.member("canary", text.canary)
        writer.member("shown", text.shown)
        writer.member("encoding", text.encoding)
        writer.member("count", text.count)
      case .sealed(let key): writer.member("key", key.rawValue)
      case .row, .unreadable: break
      }
      writer.member("words", words)
    }
  }
}
