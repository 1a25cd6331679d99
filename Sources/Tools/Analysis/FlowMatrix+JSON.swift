internal import GraphDocuments
internal import JSON
internal import Model

extension [FlowMatrix] {
  /// The tables as one JSON object, followed by a line break: `docs/schema/matrix.schema.json`.
  ///
  /// - Parameter notice: What was not read of the policies; nil: nothing.
  public func json(notice: String? = nil) -> String {
    JSONWriter.objectLine { writer in
      writer.member("notice", notice)
      writer.array("policies") { writer in
        for matrix in self { matrix.write(to: &writer) }
      }
    }
  }
}

extension FlowMatrix {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("policy", name)
      writer.member("file", file)
      writer.array("enrollment") { writer in
        for state in states { writer.string(state.rawValue) }
      }
      writer.array("sections") { writer in
        for section in sections { section.write(to: &writer) }
      }
    }
  }
}

extension FlowMatrix.Section {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("title", title)
      writer.array("rows") { writer in
        for row in rows { row.write(to: &writer) }
      }
    }
  }
}

extension FlowMatrix.Row {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("title", title)
      writer.member("channel", channel.rawValue)
      writer.member("via", via?.rawValue)
      switch subject {
      case .none: break
      case .text(let length): writer.member("characters", length)
      case .url(let url, let opener):
        writer.member("url", url)
        writer.member("opener", opener.scheme)
      case .location(let location): writer.member("location", location.rawValue)
      case .page: writer.member("webView", subject.word)
      }
      writer.array("cells") { writer in
        for entry in entries.compactMap(\.self) {
          for cell in entry.cells { cell.write(entry.parties, to: &writer) }
        }
      }
    }
  }
}

extension FlowMatrix.Cell {
  fileprivate func write(_ parties: Parties, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("from", parties.from.rawValue)
      writer.member("to", parties.to.rawValue)
      writer.array("enrollment") { writer in
        for state in states { writer.string(state.rawValue) }
      }
      writer.member("outcome", outcome.rawValue)
      writer.member(named: "reason") { reason.write(to: &$0) }
    }
  }
}
