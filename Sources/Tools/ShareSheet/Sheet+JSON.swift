internal import Activation
internal import JSON
internal import Model
internal import Policy

extension Sheet {
  /// The sheet as one JSON object, followed by a line break: `docs/schema/share-sheet.schema.json`.
  package func json() -> String {
    JSONWriter.objectLine { writer in
      writer.object("sharing") { sharing.writeMembers(to: &$0) }
      writer.array("destinations") { writer in
        for destination in destinations { write(destination, to: &writer) }
      }
    }
  }

  private func write(_ destination: SheetDestination, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", destination.name)
      writer.member("title", destination.title)
      writer.member("kind", destination.kind.rawValue)
      writer.member("bundle", destination.bundleID)
      writer.member("visibility", destination.visibility.rawValue)
      writer.array("why") { writer in
        for cause in destination.causes { writer.string(cause.code) }
      }
      writer.array("findings") { writer in
        for finding in destination.findings { finding.write(to: &writer) }
      }
      if let rule = destination.rule {
        let tree = rule.explain(sharing.offeredItems, types: sharing.types)
        writer.member(named: "activation") { tree.write(to: &$0) }
      }
      writer.member("channel", destination.transfer.request.channel.rawValue)
      writer.member(named: "verdict") { destination.transfer.explained.write(to: &$0) }
    }
  }
}

extension Sharing {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("from", senderName)
    writer.member("bundle", sender.app.bundleID)
    writer.member("account", sender.identity.accountID)
    writer.member("managed", sender.isManaged)
    writer.member("via", via.rawValue)
    writer.member("twins", usesTwins)
    writer.array("contents") { writer in
      for content in contents {
        writer.object { writer in
          writer.member("file", content.fileName)
          writer.array("types") { writer in
            for type in content.types { writer.string(type) }
          }
        }
      }
    }
  }
}

extension SheetFinding {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("code", code)
      writer.member("effect", effect.rawValue)
      writer.member("text", text)
    }
  }
}

extension ActivationExplanation {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("text", text)
      writer.member("verdict", verdict.text)
      writer.member("detail", detail)
      writer.member("decides", decides)
      writer.member("line", line)
      writer.member("column", column)
      writer.array("parts") { writer in
        for part in parts { part.write(to: &writer) }
      }
    }
  }
}
