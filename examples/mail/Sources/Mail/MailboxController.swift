import Foundation
import IntuneMAMSwift
import UIKit
import UniformTypeIdentifiers

/// The mailbox on the screen, and what it asks its user.
final class MailboxController: UIViewController {
  var onSignOut: () -> Void = {}

  /// Asks before the account goes.
  func signOut() {
    let alert = UIAlertController(
      title: "Sign out?", message: "Mails leave this phone.", preferredStyle: .alert)
    alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
    alert.addAction(
      UIAlertAction(title: "Sign Out", style: .destructive) { [weak self] _ in self?.onSignOut() })
    present(alert, animated: true)
  }

  /// Shares the mail that is read.
  func share(_ text: String) {
    let sheet = UIActivityViewController(activityItems: [text], applicationActivities: nil)
    sheet.completionWithItemsHandler = { activity, isDone, _, _ in
      print("shared with \(activity?.rawValue ?? "nobody"): \(isDone)")
    }
    present(sheet, animated: true)
  }

  /// Has the user pick what is attached to a new mail.
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
    print("nothing is attached")
  }
}
