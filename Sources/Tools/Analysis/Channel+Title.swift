internal import Transfer

extension Channel {
  /// The channel in a word or a few, as the head of a row.
  var title: String {
    switch self {
    case .share: "Share"
    case .openIn: "Open in"
    case .import: "Import"
    case .extensionResult: "Extension result"
    case .dragAndDrop: "Drag and drop"
    case .clipboard: "Paste"
    case .contactRead: "Contacts read by another app"
    case .openURL: "URL"
    case .universalLink: "Universal link"
    case .appClip: "App Clip link"
    case .saveTo: "Save to"
    case .openFrom: "Open from"
    case .documentPickerExport: "Document picker, export"
    case .documentPickerImport: "Document picker, import"
    case .mailComposer: "Mail composer"
    case .messageComposer: "Message composer"
    case .print: "Print"
    case .notification: "Notification"
    case .contactSync: "Contacts to the device's own"
    case .widget: "Widget"
    case .spotlight: "Spotlight"
    case .siriIntents: "Siri intents"
    case .appIntents: "App Intents"
    case .backup: "Backup"
    case .screenCapture: "Screen capture"
    case .writingTools: "Writing Tools"
    case .genmoji: "Genmoji"
    case .keyboard: "Third-party keyboard"
    case .webView: "Web view"
    case .safariExtension: "Safari web extension"
    case .fileEncryption: "File in the app's container"
    }
  }

  /// What stands at the other end of a channel to the system.
  var systemWords: String {
    switch self {
    case .documentPickerExport, .documentPickerImport: "the document picker"
    case .mailComposer: "the mail composer"
    case .messageComposer: "the message composer"
    case .print: "a printer"
    case .notification: "a notification"
    case .contactSync: "the device's contacts"
    case .widget: "a widget"
    case .spotlight: "Spotlight"
    case .siriIntents: "Siri"
    case .appIntents: "an App Intent"
    case .backup: "the device's backup"
    case .screenCapture: "a screen capture"
    case .writingTools: "Writing Tools"
    case .genmoji: "Genmoji"
    case .keyboard: "a third-party keyboard"
    case .webView: "a web view"
    case .safariExtension: "the app's Safari web extension"
    case .fileEncryption: "a file in the app's container"
    default: "the system"
    }
  }
}
