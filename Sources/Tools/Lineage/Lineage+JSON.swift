internal import JSON
internal import Model

extension Lineage {
  /// The hops as JSON: `{"hops": […]}`, in the order of their requests.
  public var json: String {
    JSONWriter.line { writer in writer.object { writeHops(to: &$0) } }
  }

  /// The hops of one of several cases as JSON, after the names of its journal and of the case.
  ///
  /// - Parameters:
  ///   - journal: the path of its journal, or of the folder of its devices.
  ///   - suite: the name of its scenario; nil: the journal tells of no case, or of several.
  ///   - name: the name of the case; nil as of `suite`.
  public func json(of journal: String, suite: String?, case name: String?) -> String {
    JSONWriter.line { writer in
      writer.object { writer in
        writer.member("journal", journal)
        writer.member("suite", suite)
        writer.member("case", name)
        writeHops(to: &writer)
      }
    }
  }

  private func writeHops(to writer: inout JSONWriter) {
    writer.array("hops") { writer in for hop in hops { hop.write(to: &writer) } }
  }
}

extension Hop {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("item", number)
      writer.member("device", place?.device)
      writer.member("request", place?.request)
      writer.member("time", Timestamp.text(time))
      writer.member("event", event)
      writer.member("operation", operation.rawValue)
      writer.array("from") { writer in
        for source in sources {
          writer.object {
            $0.member("item", source.item)
            $0.member("certainty", source.certainty.rawValue)
          }
        }
      }
      if let sender { writer.object("sender") { sender.writeMembers(to: &$0) } }
      writer.object("holder") { holder.write(to: &$0) }
      writer.member("owner", owner)
      writer.member("managed", isManaged)
      writer.member("encrypted", isEncrypted)
      writer.member("unmanaged", isUnmanaged)
      writer.member("rule", reason.rule.rawValue)
      writer.member("setting", reason.setting)
      writer.member("source", reason.source)
    }
  }
}

extension Holder {
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .app(let participant): participant.writeMembers(to: &writer)
    case .pasteboard: writer.member("place", "pasteboard")
    case .file(let path): writer.member("file", path)
    case .device(let name): writer.member("device", name)
    case .outside(let place, let account):
      writer.member("place", place)
      writer.member("account", account)
    }
  }
}
