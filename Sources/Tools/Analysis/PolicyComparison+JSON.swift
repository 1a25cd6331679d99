internal import JSON
internal import Model
internal import Policy

extension PolicyComparison {
  /// The comparison as one JSON object, followed by a line break: `docs/schema/diff.schema.json`.
  public func json(old: String, new: String) -> String {
    JSONWriter.objectLine { write(old: old, new: new, to: &$0) }
  }

  /// Writes the members of the comparison's object.
  func write(old: String, new: String, to writer: inout JSONWriter) {
    writer.member("old", old)
    writer.member("new", new)
    writer.member("same", isSameBehaviour)
    writer.array("flows") { writer in
      for flow in flows { flow.write(to: &writer) }
    }
    writer.array("balanced") { writer in
      for difference in balanced { difference.write(to: &writer) }
    }
    if let storage {
      writer.object("storage") { writer in
        writer.member(named: "setting") { storage.setting.write(to: &$0) }
        writer.member("oldEncrypts", storage.old)
        writer.member("newEncrypts", storage.new)
      }
    }
    writer.array("withoutEffect") { writer in
      for difference in inert { difference.write(to: &writer) }
    }
    writer.array("requirements") { writer in
      for difference in requirements { difference.write(to: &writer) }
    }
    writer.array("targeting") { writer in
      for difference in targeting { difference.write(to: &writer) }
    }
  }
}

extension TargetingDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("label", label)
      writer.member("old", old)
      writer.member("new", new)
    }
  }
}

extension FlowDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("change", change.rawValue)
      writer.member("channel", channel.rawValue)
      writer.member("from", parties.from.rawValue)
      writer.member("to", parties.to.rawValue)
      writer.member("onlyWithSDK", scene.sdkVersion?.description)
      if !subjects.isEmpty {
        writer.array("at") { writer in
          for subject in subjects { writer.string(subject) }
        }
      }
      writer.array("settings") { writer in
        for cause in causes { cause.write(to: &writer) }
      }
      writer.object("witness") { writer in
        writer.member("text", "\(old.request.endsText), \(old.request.detailText)")
        writer.member("request", json: old.request.decideLine.utf8)
        writer.member(named: "old") { old.write(to: &$0) }
        writer.member(named: "new") { new.write(to: &$0) }
      }
    }
  }
}

extension BalancedDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member(named: "setting") { setting.write(to: &$0) }
      writer.member("policy", holder.rawValue)
      writer.object("witness") { writer in
        writer.member("text", "\(with.request.endsText), \(with.request.detailText)")
        writer.member("request", json: with.request.decideLine.utf8)
        writer.member(named: "with") { with.write(to: &$0) }
        writer.member(named: "without") { without.write(to: &$0) }
      }
    }
  }
}

extension FlowDifference.Side {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("outcome", outcome.rawValue)
      writer.member(named: "reason") { reason.write(to: &$0) }
    }
  }
}

extension SettingDifference {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.array("settings") { writer in
        for setting in settings { writer.string(setting.rawValue) }
      }
      writer.member("label", label)
      writer.member(named: "old") { old.write(to: &$0) }
      writer.member(named: "new") { new.write(to: &$0) }
    }
  }
}

extension SettingDifference.Value {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("value", words)
      writer.member("source", source)
    }
  }
}
