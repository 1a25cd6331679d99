public import Encodings

/// Output in SARIF, a format for code hosts and editors.
///
/// Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
extension FindingReport {
  /// Writes the findings as a SARIF log with one run. Columns count Unicode scalars. With a
  /// baseline, each result has a `baselineState`, and resolved findings are `absent`.
  public func writeSARIF(to writer: inout JSONWriter) {
    let rules = self.rules
    let indices = Dictionary(
      rules.enumerated().map { ($0.element.code, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    writer.object { writer in
      writer.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      writer.member("version", "2.1.0")
      writer.array("runs") { writer in
        writer.object { writer in
          writer.object("tool") { writer in
            writer.object("driver") { writer in
              writer.member("name", "sluice")
              writer.array("rules", of: rules) { $1.writeSARIF(to: &$0) }
            }
          }
          writer.member("columnKind", "unicodeCodePoints")
          writer.array("results") { writer in
            for (index, finding) in findings.enumerated() {
              finding.writeSARIF(
                to: &writer, ruleIndex: indices[finding.rule.code], state(of: index)?.rawValue)
            }
            for finding in resolved ?? [] {
              finding.writeSARIF(
                to: &writer, ruleIndex: indices[finding.rule.code],
                BaselineState.absent.rawValue)
            }
          }
        }
      }
    }
  }

  /// All declared rules, followed by any other rules that occur in findings.
  private var rules: [Rule] {
    var rules = Rule.all
    for rule in (findings + (resolved ?? [])).map(\.rule)
    where !rules.contains(where: { $0.code == rule.code }) {
      rules.append(rule)
    }
    return rules
  }
}

extension FindingRule {
  fileprivate func writeSARIF(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", code)
      writer.object("shortDescription") { $0.member("text", summary) }
      writer.object("help") { $0.member("text", help.isEmpty ? summary : help) }
      writer.object("defaultConfiguration") { $0.member("level", severity.rawValue) }
    }
  }
}

extension Finding {
  fileprivate func writeSARIF(
    to writer: inout JSONWriter, ruleIndex: Int?, _ baselineState: String?
  ) {
    writer.object { writer in
      writer.member("ruleId", rule.code)
      writer.member("ruleIndex", ruleIndex)
      writer.member("baselineState", baselineState)
      writer.member("level", severity.rawValue)
      writer.object("message") { $0.member("text", message + hint) }
      writer.array("locations") { writer in
        writer.object { writer in
          writer.object("physicalLocation") { writer in
            writeArtifact(to: &writer)
            if let position {
              writer.object("region") {
                $0.member("startLine", position.line)
                $0.member("startColumn", position.column)
              }
            }
          }
        }
      }
      if !replacements.isEmpty { writeFix(to: &writer) }
    }
  }

  private func writeFix(to writer: inout JSONWriter) {
    writer.array("fixes") { writer in
      writer.object { writer in
        writer.object("description") { $0.member("text", rule.summary) }
        writer.array("artifactChanges") { writer in
          writer.object { writer in
            writeArtifact(to: &writer)
            writer.array("replacements", of: replacements) { $1.writeSARIF(to: &$0) }
          }
        }
      }
    }
  }

  private func writeArtifact(to writer: inout JSONWriter) {
    writer.object("artifactLocation") { $0.member("uri", SARIFPath.uri(of: file)) }
  }
}

extension TextReplacement {
  fileprivate func writeSARIF(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.object("deletedRegion") {
        $0.member("startLine", start.line)
        $0.member("startColumn", start.column)
        $0.member("endLine", end.line)
        $0.member("endColumn", end.column)
      }
      writer.object("insertedContent") { $0.member("text", text) }
    }
  }
}

/// Paths as URI references (RFC 3986). A colon in a path is percent-encoded, because it would otherwise end a URI
/// scheme.
private enum SARIFPath {
  /// Returns a `file` URL for an absolute path, otherwise a relative reference. Removes a leading `./`, because viewers
  /// compare references as text.
  static func uri(of path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "")
      + PercentEncoding.encoded(path.trimmingPrefix("./").utf8, except: [UInt8(ascii: "/")])
  }
}
