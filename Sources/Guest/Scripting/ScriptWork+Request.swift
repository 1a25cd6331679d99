internal import Model
internal import SluiceKit
internal import Wire

/// The request that an extension was started for.
extension ScriptWork {
  func useRequest() throws(ScriptMisuse) {
    switch call {
    case .load:
      let type = try arguments.text(0)
      let place = arguments[1] == .nothing ? 1 : try arguments.integer(1)
      try whenRequested { load(type, at: place) }
    case .complete:
      let items = try arguments.items(0)
      try whenRequested { complete(items) }
    default:
      let why = try arguments.text(orNothing: 0) ?? "cancelled"
      try whenRequested { cancel(why) }
    }
  }

  /// Calls `body` now, or when the request has come, where the file is ahead of it.
  ///
  /// - Throws: ``ScriptMisuse`` in an app.
  private func whenRequested(_ body: @escaping () -> Void) throws(ScriptMisuse) {
    switch script.request {
    case .absent:
      throw ScriptMisuse("`\(call.rawValue)` is for extensions: an app has no request")
    case .awaited: script.awaiting.append(body)
    case .open, .ended: body()
    }
  }

  /// Answers with the item, or with nothing and the reason.
  private func load(_ type: String, at place: Int) {
    guard case .open(let context) = script.request, place > 0,
      context.attachments.indices.contains(place - 1)
    else { return answer([.nothing, .text("attachment \(place) is not there")]) }
    context.attachments[place - 1].loadItem(forTypeIdentifier: type) { result in
      switch result {
      case .success(let item): answer([.received(item)])
      case .failure(let error): answer([.nothing, .text(error.description)])
      }
    }
  }

  private func complete(_ items: [Item]) {
    if let context = script.request.take() {
      context.completeRequest(returningItems: items)
    } else {
      // A second completion is sent as well: the host decides what follows.
      application.request(.completeExtension(items)) { _ in }
    }
    answer([])
  }

  private func cancel(_ why: String) {
    if let context = script.request.take() {
      context.cancelRequest(withError: why)
    } else {
      application.request(.cancelExtension(why: why)) { _ in }
    }
    answer([])
  }
}
