import SluiceKit

/// An action extension: returns a text in upper case.
final class Shout: ApplicationDelegate {
  func beginRequest(with context: ExtensionContext) {
    guard let attachment = context.attachments.first else { return context.completeRequest() }
    attachment.loadText { result in
      switch result {
      case .success(let text):
        context.completeRequest(returningItems: [Item(text: text.uppercased())])
      case .failure(let error):
        context.cancelRequest(withError: "only text is supported: \(error)")
      }
    }
  }
}

try Application.connect(delegate: Shout()).run()
