internal import Glibc
internal import Model
internal import SluiceKit
internal import Wire

/// The items that a guest has received, an ``InboxFile`` each. Data of a managed account are stored as its policy asks.
final class Inbox {
  private var count = 0
  /// The number of items that are being stored.
  private var open = 0
  /// What waits until none is.
  private var waiting: [() -> Void] = []

  /// Keeps an item, protected where its owner is managed.
  ///
  /// - Parameter done: called once the item is stored, or cannot be.
  func keep(_ item: Item, in application: Application, done: @escaping () -> Void = {}) {
    let path = freePath(of: application.guestName)
    guard let tag = item.tag, tag.isManaged else {
      store(item.bytes, at: path)
      return done()
    }
    open += 1
    let end = { [unowned self] in
      done()
      didStore()
    }
    store(item, at: path, for: tag.ownerUPN, in: application) { isStored in
      if isStored { return end() }
      // The owner may not be signed in here: the item then belongs to the account that it came to, or nobody.
      guard let present = application.policyManager.getUIPolicyAccountId(), !present.isEmpty else {
        self.store(item.bytes, at: path)
        return end()
      }
      self.store(item, at: path, for: present, in: application) { _ in end() }
    }
  }

  /// Calls `body` once no item is being stored.
  func whenStored(_ body: @escaping () -> Void) {
    guard open > 0 else { return body() }
    waiting.append(body)
  }

  private func didStore() {
    open -= 1
    guard open == 0 else { return }
    let bodies = waiting
    waiting = []
    for body in bodies { body() }
  }

  /// Keeps an item as it is: content that this guest cannot read needs no protection.
  func keep(raw item: Item, in application: Application) {
    store(item.bytes, at: freePath(of: application.guestName))
  }

  /// The first free path after the items that earlier runs of this guest have received.
  private func freePath(of guest: String) -> String {
    mkdir(InboxFile.folder, 0o700)
    while true {
      count += 1
      let path = InboxFile(of: guest, count).description
      if access(path, F_OK) != 0 { return path }
    }
  }

  private func store(
    _ item: Item, at path: String, for owner: String, in application: Application,
    done: @escaping (Bool) -> Void
  ) {
    let request = OpenFile(FileReference(path), mode: .truncate, owner: owner)
    let sources = item.tag.map { [$0.sequence] } ?? []
    application.open(request, as: nil, madeOf: sources) { file in
      guard case .success(let file) = file else { return done(false) }
      defer { file.close() }
      done((try? file.write(item.bytes)) != nil)
    }
  }

  private func store(_ bytes: [UInt8], at path: String) {
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let written = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      guard written > 0 else { return }
      offset += written
    }
  }
}
