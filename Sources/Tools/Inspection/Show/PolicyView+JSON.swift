internal import Policy
public import JSON
import Model

extension PolicyView {
  /// The policy as one JSON object: `policies`, the sources, and `sections`.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("policies") { writer in
        for source in sources {
          writer.object {
            $0.member("name", source.name)
            $0.member("file", source.file)
            $0.member("line", source.position.line)
          }
        }
      }
      writer.array("sections") { writer in
        for section in sections {
          writer.object { writer in
            writer.member("name", section.name)
            writer.array("settings") { writer in
              for row in section.rows { row.write(to: &writer) }
            }
          }
        }
      }
    }
  }
}

extension PolicyView.Row {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("label", label)
      writer.member("value", words)
      writer.array("stated") { writer in
        for place in places { writer.string(place.description) }
      }
      writer.array("properties") { writer in
        for value in values {
          writer.object { writer in
            writer.member("name", value.setting.rawValue)
            writer.member(named: "value") { value.value.write(to: &$0) }
            writer.member("file", value.place?.file)
            writer.member("line", value.place?.line)
            writer.member("isDefault", value.place == nil)
          }
        }
      }
    }
  }
}
