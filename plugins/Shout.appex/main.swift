import SluiceKit

/// An action extension: hands a text back in upper case.
final class Shout: ApplicationDelegate {
  func beginRequest(with context: ExtensionContext) {
    guard !context.inputItem.isEncrypted, let text = context.inputItem.item.text else {
      return context.cancelRequest(withError: "only text can be shouted")
    }
    context.completeRequest(returningItems: [Item(text: text.uppercased())])
  }
}

try Application.connect(delegate: Shout()).run()
