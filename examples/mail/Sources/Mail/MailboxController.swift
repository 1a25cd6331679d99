import Foundation
import IntuneMAMSwift
import UIKit
import UniformTypeIdentifiers

/// The mailbox screen and its prompts.
final class MailboxController: UIViewController {
  var onSignOut: () -> Void = {}

  /// Asks for confirmation before removing the account.
  func signOut() {
    let alert = UIAlertController(
      title: "Sign out?", message: "This removes your mail from the phone.", preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    alert.addAction(
      UIAlertAction(title: "Sign Out", style: .destructive) { [weak self] _ in self?.onSignOut() })
    present(alert, animated: true)
  }

  /// Shares the open mail.
  func share(_ text: String) {
    let sheet = UIActivityViewController(activityItems: [text], applicationActivities: nil)
    sheet.completionWithItemsHandler = { activity, isDone, _, _ in
      print("shared with \(activity?.rawValue ?? "no app"): \(isDone)")
    }
    present(sheet, animated: true)
  }

  /// Lets the user pick an attachment for a new mail.
  func attach() {
    let picker = UIDocumentPickerViewController(
      forOpeningContentTypes: [.text, .pdf], asCopy: true)
    picker.delegate = self
    present(picker, animated: true)
  }
}

extension MailboxController: UIDocumentPickerDelegate {
  func documentPicker(
    _ controller: UIDocumentPickerViewController, didPickDocumentsAt urls: [URL]
  ) {
    for url in urls { print("attached: \(url.lastPathComponent)") }
  }

  func documentPickerWasCancelled(_ controller: UIDocumentPickerViewController) {
    print("no attachment was chosen")
  }
}
