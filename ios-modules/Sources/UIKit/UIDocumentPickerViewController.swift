internal import AppProcess
public import Foundation
internal import SluiceKit
public import UniformTypeIdentifiers

/// The document picker, which waits in ``PresentedPrompts`` for a choice.
@preconcurrency @MainActor
open class UIDocumentPickerViewController: UIViewController,
  CancellablePrompt
{
  open weak var delegate: (any UIDocumentPickerDelegate)?
  public let documentPickerMode: UIDocumentPickerMode
  open var allowsMultipleSelection = false
  open var shouldShowFileExtensions = false
  open var directoryURL: URL?
  private let contentTypes: [String]
  private let exported: [URL]

  /// A picker of documents to be imported as copies, or opened.
  public convenience init(forOpeningContentTypes contentTypes: [UTType], asCopy: Bool = false) {
    self.init(asCopy ? .import : .open, contentTypes.map(\.identifier), [])
  }

  /// A picker of a place for documents.
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

  /// Hands the picked documents to the app; what the picker exports goes to the device first, which decides it.
  func pick(_ urls: [URL]) {
    guard !exported.isEmpty else { return didPick(urls) }
    let items = exported.compactMap { OutgoingItem.item($0) }
    export(items[...]) { [self] isDone in
      Callback.onMain("documentPicker(_:didPickDocumentsAt:)") { [self] in
        if isDone { didPick(urls) } else { didCancel() }
      }
    }
  }

  private nonisolated func export(
    _ items: ArraySlice<Item>, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    guard let next = items.first else { return done(true) }
    AppProcess.current.tell { app in
      app.hand(next, to: .documentPickerExport) { [self] outcome in
        guard outcome.end == .delivered else { return done(false) }
        export(items.dropFirst(), done)
      }
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

extension PresentedPrompts {
  /// Picks documents in the document picker in front; for one that exports, the URLs are those of the copies.
  ///
  /// - Returns: false where no document picker is shown.
  @discardableResult
  public func pick(_ urls: [URL]) -> Bool {
    guard let picker = last(UIDocumentPickerViewController.self) else { return false }
    close(picker)
    picker.pick(urls)
    return true
  }
}
