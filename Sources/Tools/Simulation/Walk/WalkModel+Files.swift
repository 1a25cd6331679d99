/// A file, as the model of a walk sees it.
struct WalkFile {
  /// The account that owns the file; nil: none.
  var owner: WalkAccount?
  var bytes: [UInt8]
  var texts: Set<WalkText>
}

extension WalkModel {
  mutating func file(
    _ work: WalkStep.FileWork, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    switch work.kind {
    case .write(let length): return write(work.place, length, app, task)
    case .append(let length): return append(work.place, length, app, task)
    case .read: return read(work.place, app, task)
    case .protect(let owner): return protect(work.place, owner, app, task)
    case .move(let target):
      guard let file = files.removeValue(forKey: work.place) else { return WalkForecast(.failed) }
      files[target] = file
      return WalkForecast(.allowed)
    case .remove:
      return WalkForecast(files.removeValue(forKey: work.place) == nil ? .failed : .allowed)
    }
  }

  private mutating func write(
    _ place: WalkPlace, _ length: WalkText.Length, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    let identity = self[app].fileIdentity(of: task)
    guard canOwn(identity.account, app) else { return WalkForecast(.refused) }
    let text = newText(isWork: self[app].isManaged(identity))
    files[place] = WalkFile(owner: identity.account, bytes: text.bytes(length), texts: [text])
    return allowed(toWork: self[app].isManaged(identity))
  }

  /// Appends a text. The file keeps its owner, which then owns the text, too.
  private mutating func append(
    _ place: WalkPlace, _ length: WalkText.Length, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    guard var file = files[place] else { return write(place, length, app, task) }
    guard isOpen(file, app, task) else { return WalkForecast(.refused) }
    let text = newText(isWork: file.owner == .work)
    file.bytes += text.bytes(length)
    file.texts.insert(text)
    files[place] = file
    return allowed(toWork: file.owner == .work)
  }

  private func read(_ place: WalkPlace, _ app: WalkApp, _ task: WalkTask) -> WalkForecast {
    guard let file = files[place] else { return WalkForecast(.failed) }
    guard isOpen(file, app, task) else { return WalkForecast(.refused) }
    var forecast = allowed(toWork: file.owner == .work)
    forecast.found = (file.bytes, self[app].isManaged(self[app].fileIdentity(of: task)))
    return forecast
  }

  private mutating func protect(
    _ place: WalkPlace, _ owner: WalkAccount?, _ app: WalkApp, _ task: WalkTask
  ) -> WalkForecast {
    guard var file = files[place] else { return WalkForecast(.failed) }
    guard isOpen(file, app, task), canOwn(owner, app) else { return WalkForecast(.refused) }
    if file.owner == .work, owner != .work { giveAway(file.texts) }
    file.owner = owner
    files[place] = file
    return allowed(toWork: true)
  }

  private func allowed(toWork: Bool) -> WalkForecast {
    var forecast = WalkForecast(.allowed)
    forecast.isPersonal = !toWork
    return forecast
  }

  /// Whether a new file may belong to the account: an account that a policy would protect must be signed in.
  private func canOwn(_ owner: WalkAccount?, _ app: WalkApp) -> Bool {
    owner != .work || self[app].accounts.contains(.work)
  }

  /// Whether a task can open a file: files of the organisation open for its account alone, all others for every task.
  private func isOpen(_ file: WalkFile, _ app: WalkApp, _ task: WalkTask) -> Bool {
    file.owner != .work || self[app].isManaged(self[app].fileIdentity(of: task))
  }
}
