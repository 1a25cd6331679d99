internal import JSON
internal import Model

extension LeakReport {
  /// The report as one JSON object.
  public var json: String {
    JSONWriter.objectLine { writer in
      writer.member("notice", notice)
      writer.array("leaks") { writer in for leak in leaks { leak.write(to: &writer) } }
      writer.object("accounts") { writer in
        for (name, upn) in accounts.sorted(by: { $0.key < $1.key }) {
          writer.member(named: name) { $0.string(upn) }
        }
      }
      if let answer { answer.write(to: &writer, leaks) }
      if !onward.isEmpty {
        writer.array("onward") { writer in for name in onward { writer.string(name) } }
      }
      if let closing {
        writer.object("closing") { writer in
          writer.array("changes") { writer in
            for change in closing.changes { writer.string(change) }
          }
          writer.array("notOffered") { writer in
            for text in closing.notOffered { writer.string(text) }
          }
          writer.array("alsoCloses") { writer in
            for text in closing.losses { writer.string(text) }
          }
          writer.member("fewest", closing.areFewest)
          writer.array("rest") { writer in
            for leak in closing.rest {
              writer.object {
                $0.member("owner", leak.owner.upn)
                $0.member("sink", leak.sink.text)
              }
            }
          }
        }
      }
      writer.object("search") { writer in
        writer.member("behaviour", behaviour.rawValue)
        writer.member("apps", scope.apps)
        writer.member("devices", scope.devices)
        writer.member("states", states)
        writer.member("moves", transitions)
        writer.member("depth", depth)
        writer.member("searched", searched)
        writer.member("notSearched", notSearched)
      }
    }
  }
}

extension Leak {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("owner", owner.upn)
      writer.member("sink", sink.text)
      writer.member("device", condition)
      writer.array("hops") { writer in for hop in hops { hop.write(to: &writer) } }
    }
  }
}

extension LeakHop {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("app", app)
      writer.member("identity", persona.isEmpty ? nil : persona)
      switch action {
      case .made: writer.member("action", "made")
      case .retyped: writer.member("action", "retyped")
      case .transfer(let transfer, let receiver, let persona):
        writer.member("action", transfer.channel.rawValue)
        writer.member("via", transfer.via.rawValue)
        writer.member("to", receiver)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .echo(let echo, let persona):
        writer.member("action", Channel.extensionResult.rawValue)
        writer.member("via", echo.share.via.rawValue)
        writer.member("extension", echo.name)
        writer.member("content", echo.content.rawValue)
        writer.member("to", app)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .open(let link, let receiver, let persona):
        writer.member("action", link.channel.rawValue)
        writer.member("url", link.url)
        writer.member("to", receiver)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .keep(let group, let receiver, let persona):
        writer.member("action", "keychain")
        writer.member("group", group)
        writer.member("to", receiver)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .store(let outside, let receiver, let persona):
        writer.member("action", "storage")
        writer.member("location", outside.location?.rawValue)
        writer.member("account", outside.account)
        writer.member("to", receiver)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .container(let receiver, let persona):
        writer.member("action", "container")
        writer.member("to", receiver)
        writer.member("toIdentity", persona.isEmpty ? nil : persona)
      case .signIns(let change):
        writer.member("action", "signIns")
        writer.array("out") { writer in for name in change.out { writer.string(name) } }
        writer.array("in") { writer in for name in change.in { writer.string(name) } }
      case .handOff(let outside):
        writer.member("action", outside.channel.rawValue)
        writer.member("location", outside.location?.rawValue)
        writer.member("account", outside.account)
      }
      if verdicts.count > 1, let saving = verdicts.first {
        writer.member(named: "saving") { saving.write(to: &$0) }
      }
      if let verdict { writer.member(named: "verdict") { verdict.write(to: &$0) } }
    }
  }
}
