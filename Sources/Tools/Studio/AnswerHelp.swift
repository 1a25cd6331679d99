internal import Analysis
internal import GraphDocuments
internal import Model

// Short texts that explain the terms of the tables of answers.

/// Explains the columns of the tables in which the workbench shows the answers of a policy.
enum AnswerHelp {
  /// Returns the explanation of a column such as `managed -> same account`: a sentence for each party.
  static func text(ofColumn column: String) -> String {
    let ends = column.split(separator: " ", omittingEmptySubsequences: true).split(separator: "->")
      .map { $0.joined(separator: " ") }
    let titles = ends.count == 2 ? ["From ", "To "] : [""]
    return zip(titles, ends).map { title, end in
      let meaning = meaning(of: end).map { ": \($0)" } ?? ""
      return "\(title)`\(end)`\(meaning)."
    }.joined(separator: " ")
  }

  /// Returns the meaning of a party's name as a clause; nil if there is none.
  private static func meaning(of party: String) -> String? {
    switch party {
    case "same account": "another app in which the same account is under the policy"
    case "own account": "storage of the account under the policy, such as its OneDrive"
    case "no account": "storage that belongs to no account"
    case "managed app": "an app in which an account is under the policy"
    case "unmanaged app": Legend.meaning(of: "unmanaged")
    case "any app": "an app, whether the policy applies to it or not"
    case "managed account": Legend.meaning(of: "managed")
    default: Legend.meaning(of: party)  // open: a name that a table states
    }
  }
}

extension FlowMatrix.Row {
  /// A text that explains the path of the row's data.
  var help: String { channel.help(via) }
}

extension WayOut {
  /// A text that explains the path of the data, with the app or account that the path needs.
  var help: String { channel.help(via) + (needs.map { " It needs \($0)." } ?? "") }
}

extension ManagementState {
  /// The explanation of the state: one sentence.
  var help: String {
    switch self {
    case .unenrolled: "The device is not enrolled in device management (MDM)."
    case .enrolledWithoutUPN:
      "The device is enrolled in MDM, and the app's configuration lacks IntuneMAMUPN, which names the account."
    case .enrolled:
      "The device is enrolled in MDM, and the app's configuration names the account with IntuneMAMUPN."
    }
  }
}

extension Channel {
  /// Returns the explanation of the channel and of the sharing path.
  ///
  /// - Parameter via: The sharing path; nil if the channel has only one path.
  fileprivate func help(_ via: SharingPath?) -> String {
    let path = via.flatMap { Legend.meaning(of: $0 == .sdk ? "by the SDK" : "by the system") }
    return help + (path.map { " The path: \($0)." } ?? "")
  }

  /// The explanation of the channel for administrators: one sentence.
  fileprivate var help: String {
    switch self {
    case .share:
      "The user shares an item with another app, or with an extension in the share sheet."
    case .openIn: "The user opens a document in another app, which gets a copy of it."
    case .import: "The receiving app asks another app for an item."
    case .extensionResult: "An extension returns an item to the app that opened the extension."
    case .dragAndDrop: "The user drags content from one app and drops it in another."
    case .clipboard: "The user copies in one app and pastes in another."
    case .contactRead: "Another app reads the contacts of the account."
    case .openURL:
      "The app opens an address that belongs to another app, such as `tel:` or a web link. It can contain data."
    case .universalLink:
      "The app opens a web link that iOS passes to an installed app in place of the browser."
    case .appClip:
      "The app opens a web link that starts an App Clip, a small part of an app that is not installed."
    case .saveTo: "The user saves a copy of a document in this place."
    case .openFrom: "The user opens a document from this place in the app."
    case .documentPickerExport: "The user saves a document with the file dialog of iOS."
    case .documentPickerImport: "The user opens a document with the file dialog of iOS."
    case .mailComposer:
      "The app opens the mail form of iOS, which sends from the accounts of Apple Mail."
    case .messageComposer: "The app opens the form of iOS for text messages."
    case .print: "The user prints a document."
    case .notification: "A notification shows content of the account on the lock screen."
    case .contactSync: "The app writes the account's contacts to the contacts of the device."
    case .widget: "A widget shows content of the account on the home screen."
    case .spotlight: "The search of iOS finds content of the account."
    case .siriIntents: "Siri carries out an action of the app with content of the account."
    case .appIntents:
      "The Shortcuts app carries out an action of the app with content of the account."
    case .backup: "The app's data is in the device's backup."
    case .screenCapture: "The user takes a picture or a recording of the screen."
    case .writingTools: "Apple Intelligence rewrites a text of the account."
    case .genmoji: "Apple Intelligence creates an emoji in a text of the account."
    case .keyboard:
      "The user types with a keyboard of another developer, which can record the text."
    case .webView: "The app shows a web page, into which the user can paste or upload content."
    case .safariExtension: "The app gives content to its own extension of Safari."
    case .fileEncryption: "The app writes a file of the account to its own storage."
    }
  }
}
