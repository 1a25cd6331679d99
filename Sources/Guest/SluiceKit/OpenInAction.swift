internal import Model
internal import Wire

/// An Open-In action extension, which the SDK brings (`OpenInActionExtension`): it leaves the one document that it gets
/// in an app group, in its owner's name, and has its app open it there.
final class OpenInAction {
  private let context: ExtensionContext
  private let place: OpenInPlace
  private let host: any HostPort
  private let files: AppFiles

  init(
    _ context: ExtensionContext, _ place: OpenInPlace, _ host: any HostPort, _ files: AppFiles
  ) {
    self.context = context
    self.place = place
    self.host = host
    self.files = files
  }

  func run() {
    guard !place.group.isEmpty else {
      return cancel("it shares no app group with its app")
    }
    guard !place.scheme.isEmpty else {
      return cancel("its app registers no URL scheme beside that scheme's -intunemam twin")
    }
    guard context.attachments.count == 1, let document = context.attachments.first,
      let type = document.registeredTypeIdentifiers.first
    else { return cancel("it opens one document, not \(context.attachments.count)") }
    document.loadItem(forTypeIdentifier: type) { [self] result in
      switch result {
      case .success(let received) where received.isEncrypted:
        cancel("the document arrived as ciphertext")
      case .success(let received): leave(received.item)
      case .failure(let error): cancel(error.description)
      }
    }
  }

  private func leave(_ item: Item) {
    let handover = OpenInHandover(place, name: item.name, type: item.type)
    let owner = item.tag.flatMap { $0.isManaged ? $0.ownerUPN : nil }
    write(item, handover, owner: owner) { [self] error in
      // The owner may not be signed in here: the item then belongs to the account that it came to.
      guard error != nil, owner != nil else { return tell(handover, error) }
      write(item, handover, owner: nil) { [self] in tell(handover, $0) }
    }
  }

  private func write(
    _ item: Item, _ handover: OpenInHandover, owner: String?,
    done: @escaping (ProtectedFileError?) -> Void
  ) {
    let reference = FileReference(handover.path, group: handover.group)
    files.open(OpenFile(reference, mode: .truncate, owner: owner), as: nil) { result in
      do throws(ProtectedFileError) {
        let file = try result.get()
        defer { file.close() }
        try file.write(item.bytes)
        done(nil)
      } catch {
        done(error)
      }
    }
  }

  private func tell(_ handover: OpenInHandover, _ error: ProtectedFileError?) {
    if let error { return cancel(error.description) }
    let url = OpenURL(handover.url(scheme: place.scheme), isKnownManagedScheme: true)
    host.request(.openURL(url)) { [self] outcome in
      guard outcome.end == .delivered else {
        let reference = FileReference(handover.path, group: handover.group)
        return files.remove(reference) { [self] _ in
          cancel("its app did not open the document: \(outcome.end)")
        }
      }
      context.completeRequest()
    }
  }

  private func cancel(_ why: String) { context.cancelRequest(withError: why) }
}
