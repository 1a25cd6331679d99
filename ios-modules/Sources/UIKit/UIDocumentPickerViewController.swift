internal import AppProcess
public import Foundation
internal import FoundationExtensions
internal import SluiceKit
public import UniformTypeIdentifiers
internal import Wire

/// A document picker. It waits in ``PresentedPrompts`` until the user chooses a document or cancels.
@preconcurrency @MainActor
open class UIDocumentPickerViewController: UIViewController,
  CancellablePrompt
{
  open weak var delegate: (any UIDocumentPickerDelegate)?
  public let documentPickerMode: UIDocumentPickerMode
  /// This property has no effect.
  open var allowsMultipleSelection = false
  /// This property has no effect.
  open var shouldShowFileExtensions = false
  /// This property has no effect.
  open var directoryURL: URL?
  private let contentTypes: [String]
  private let exported: [URL]

  /// Creates a picker with which the user chooses a document. If `asCopy` is true, the app imports a copy of the
  /// document; otherwise, it opens the document.
  public convenience init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool = false) {
    self.init(asCopy ? .import : .open, contentTypes.map(\.identifier), [])
  }

  /// Creates a picker with which the user chooses a location for exported documents.
  public convenience init(forExporting urls: [URL], asCopy: Bool = false) {
    self.init(asCopy ? .exportToService : .moveToService, [], urls)
  }

  public convenience init(documentTypes allowedUTIs: [String], in mode: UIDocumentPickerMode) {
    self.init(mode, allowedUTIs, [])
  }

  public convenience init(url: URL, in mode: UIDocumentPickerMode) { self.init(mode, [], [url]) }

  private init(_ mode: UIDocumentPickerMode, _ contentTypes: [String], _ exported: [URL]) {
    documentPickerMode = mode
    self.contentTypes = contentTypes
    self.exported = exported
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) {
    documentPickerMode = .open
    contentTypes = []
    exported = []
    super.init(coder: coder)
  }

  override var presentationNote: String {
    let what = (contentTypes + exported.map(\.lastPathComponent)).map { "`\($0)`" }
    return "the app shows the document picker for \(what.joined(separator: ", "))"
  }

  override func didShow() { PresentedPrompts.shared.add(self) }
  override func didHide() { PresentedPrompts.shared.remove(self) }

  /// Returns the reason why the user cannot choose the document or location; nil if the user can.
  func objection(to document: PickedDocument) -> String? {
    exported.isEmpty ? objection(toOpening: document) : objection(toPlace: document)
  }

  private func objection(toOpening document: PickedDocument) -> String? {
    if let location = document.location, !StorageLocation.openLocations.contains(location) {
      return "apps cannot open documents from `\(location.rawValue)`; choose another `location`"
    }
    guard let item = document.item else {
      return document.location == nil
        ? "the app opens a document, but the step states none; add `text` or `file`" : nil
    }
    let type = Self.type(of: item)
    guard !contentTypes.isEmpty,
      !contentTypes.contains(where: { TypeMatching.conforms(type, to: $0) })
    else { return nil }
    let offered = contentTypes.map { "`\($0)`" }.joined(separator: ", ")
    return "the document picker offers \(offered), but not `\(type)`"
  }

  private func objection(toPlace document: PickedDocument) -> String? {
    if document.item != nil {
      return
        "the app provides the exported documents, and the step only chooses their place; leave `text` and `file` out"
    }
    if let location = document.location, !StorageLocation.saveLocations.contains(location) {
      return "apps cannot save documents to `\(location.rawValue)`; choose another `location`"
    }
    let missing = exported.first { !FileManager.default.isReadableFile(atPath: $0.path) }
    return missing.map { "the app exports `\($0.lastPathComponent)`, which does not exist" }
  }

  /// Returns the type of a document. If the stated type is plain text, which is the default, the type is derived from
  /// the filename extension.
  private static func type(of item: Item) -> String {
    guard item.type == "public.utf8-plain-text", let name = item.name else { return item.type }
    return UTTypeName.ofFile(URL(fileURLWithPath: name))
  }

  /// Passes the picked document to the app, or exports documents to the picked location. If the policies forbid this,
  /// cancels the picker, as the SDK does.
  ///
  /// - Parameter done: Called with nil after the app's delegate has returned, or with the reason if there is no
  ///   document.
  func pick(
    _ document: PickedDocument, _ done: @escaping @Sendable (_ failure: String?) -> Void
  ) {
    let picker = Carried(self)
    let exported = exported
    let finish: @Sendable (Picked) -> Void = { picked in
      Callback.onMain("documentPicker(_:didPickDocumentsAt:)") {
        done(picker.take()?.finish(picked))
      }
    }
    if exported.isEmpty {
      Self.fetch(document, finish)
    } else {
      let items = exported.compactMap { OutgoingItem.item($0) }
      Self.export(items[...], to: document) { finish($0 ? .urls(exported) : .refused) }
    }
  }

  /// The result of a choice.
  private enum Picked: Sendable {
    case urls([URL])
    /// The policies refuse the choice.
    case refused
    /// There is no document. The associated value is the reason.
    case nothing(String)
  }

  private func finish(_ picked: Picked) -> String? {
    switch picked {
    case .urls(let urls):
      if documentPickerMode == .moveToService {
        for url in urls { try? FileManager.default.removeItem(at: url) }
      }
      didPick(urls)
    case .refused: didCancel()
    case .nothing(let why):
      didCancel()
      return why
    }
    return nil
  }

  private nonisolated static func export(
    _ items: ArraySlice<Item>, to place: PickedDocument, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    guard let next = items.first else { return done(true) }
    AppProcess.current.tell { app in
      let didEnd = { (outcome: RequestOutcome) in
        guard outcome.isDelivered else { return done(false) }
        export(items.dropFirst(), to: place, done)
      }
      if let location = place.location {
        app.save(next, to: location, accountId: place.account, completion: didEnd)
      } else {
        app.hand(next, to: .documentPickerExport, completion: didEnd)
      }
    }
  }

  private nonisolated static func fetch(
    _ document: PickedDocument, _ done: @escaping @Sendable (Picked) -> Void
  ) {
    AppProcess.current.tell { app in
      guard let location = document.location else {
        return app.policy.isDocumentPickerAllowed(.import) { isAllowed in
          guard isAllowed, let item = document.item else { return done(.refused) }
          keep(item, of: nil, app, done)
        }
      }
      app.openDocument(from: location, accountId: document.account) { outcome in
        guard outcome.isDelivered else { return done(.refused) }
        guard let item = document.item ?? outcome.items.first else {
          let account = document.account.map { " of `\($0)`" } ?? ""
          return done(
            .nothing(
              "there is no document at `\(location.rawValue)`\(account); add `text` or `file`"))
        }
        keep(item, of: document.account, app, done)
      }
    }
  }

  /// Writes a document to a file in the container. The file's owner is the document's owner. If the document has no
  /// tag, the owner is the location's account.
  private nonisolated static func keep(
    _ item: Item, of account: String?, _ app: Application,
    _ done: @escaping @Sendable (Picked) -> Void
  ) {
    let name = TypeMatching.fileName(item.name, type: item.type)
    ContainerFile.write(item, named: name, in: "tmp", of: item.tag?.ownerUPN ?? account, app) {
      done(
        $0.map { .urls([ContainerFile.url($0)]) }
          ?? .nothing("the document cannot be saved; the journal has the reason"))
    }
  }

  private func didPick(_ urls: [URL]) {
    let isImplemented = Requirement.isImplemented {
      delegate?.documentPicker(self, didPickDocumentsAt: urls)
    }
    guard !isImplemented, let first = urls.first else { return }
    delegate?.documentPicker(self, didPickDocumentAt: first)
  }

  func didCancel() { delegate?.documentPickerWasCancelled(self) }
}
