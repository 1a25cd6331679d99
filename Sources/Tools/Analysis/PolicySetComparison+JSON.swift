internal import JSON
internal import Policy

extension PolicySetComparison {
  /// The comparison as one JSON object, followed by a line break: `docs/schema/diff.schema.json`.
  public func json(old: String, new: String) -> String {
    JSONWriter.objectLine { writer in
      writer.member("old", old)
      writer.member("new", new)
      writer.member("same", isSameBehaviour)
      Self.write(added, as: "added", to: &writer)
      Self.write(removed, as: "removed", to: &writer)
      Self.write(unchanged.map(\.new), as: "unchanged", to: &writer)
      writer.array("changed") { writer in
        for pair in changed { pair.write(to: &writer) }
      }
    }
  }

  private static func write(
    _ documents: [PolicyDocument], as name: StaticString, to writer: inout JSONWriter
  ) {
    writer.array(name) { writer in
      for document in documents {
        writer.object { writer in
          writer.member("policy", document.displayName)
          writer.member("id", document.id)
          writer.member("file", document.file)
        }
      }
    }
  }
}

extension PolicySetComparison.Pair {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("policy", new.displayName)
      writer.member("id", new.id)
      comparison.write(old: old.file, new: new.file, to: &writer)
    }
  }
}
