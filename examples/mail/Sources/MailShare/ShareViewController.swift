import IntuneMAMSwift
import Social
import UIKit
import UniformTypeIdentifiers

/// A share extension that starts a mail from the shared text.
final class ShareViewController: SLComposeServiceViewController {
  override func isContentValid() -> Bool { !(contentText ?? "").isEmpty || provider != nil }

  private var provider: NSItemProvider? {
    let items = extensionContext?.inputItems as? [NSExtensionItem] ?? []
    return items.flatMap { $0.attachments ?? [] }.first {
      $0.hasItemConformingToTypeIdentifier(UTType.plainText.identifier)
    }
  }

  override func didSelectPost() {
    guard let provider else {
      extensionContext?.cancelRequest(withError: CocoaError(.fileReadUnknown))
      return
    }
    provider.loadItem(forTypeIdentifier: UTType.plainText.identifier, options: nil) { item, error in
      let text = item as? String
      DispatchQueue.main.async { self.finish(with: text, error) }
    }
  }

  private func finish(with text: String?, _ error: (any Error)?) {
    guard let text else {
      print("no text was loaded: \((error as NSError?)?.code ?? 0)")
      extensionContext?.cancelRequest(withError: error ?? CocoaError(.fileReadUnknown))
      return
    }
    if text.contains("\n") { askAboutLines(of: text) } else { begin(with: text) }
  }

  /// Asks whether to keep the line breaks of a text with several lines.
  private func askAboutLines(of text: String) {
    let alert = UIAlertController(
      title: "Keep the lines?", message: nil, preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "Keep", style: .default) { _ in self.begin(with: text) })
    alert.addAction(
      UIAlertAction(title: "Join", style: .default) { _ in
        self.begin(with: text.split(separator: "\n").joined(separator: " "))
      })
    present(alert, animated: true)
  }

  private func begin(with text: String) {
    print("a new mail with: \(text)")
    extensionContext?.completeRequest(returningItems: [], completionHandler: nil)
  }
}
