internal import JSON
internal import Scenario

extension CriteriaCertificate {
  /// The certificate as one object and the end of a line.
  package var json: String {
    JSONWriter.objectLine { writer in
      writer.member("schema", "sluice-criteria-1")
      writer.member("bundle", bundle)
      writer.member("holds", holds)
      writer.member("milliseconds", duration.milliseconds)
      writer.array("notTried") { writer in
        if let general { writer.string(general) }
      }
      writer.array("criteria") { writer in
        for entry in entries { entry.write(to: &writer) }
      }
    }
  }
}

extension CriteriaCertificate.Entry {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", criterion.id)
      writer.member("stage", criterion.stage.rawValue)
      writer.member("text", criterion.text)
      writer.member("verdict", verdict.rawValue)
      writer.member("milliseconds", duration.milliseconds)
      writer.array("checks") { writer in
        for check in checks where check.misfit == nil { check.write(to: &writer) }
      }
      writer.array("notTried") { writer in
        for what in untried { writer.string(what) }
      }
    }
  }
}

extension CriteriaCertificate.Check {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("title", title)
      writer.member("file", file)
      writer.member("passed", isPassed)
      writer.member("milliseconds", duration.milliseconds)
      writer.array("complaints") { writer in
        for complaint in complaints { writer.string(complaint) }
      }
    }
  }
}
