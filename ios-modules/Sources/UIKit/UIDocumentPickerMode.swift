/// The purpose of a document picker.
public enum UIDocumentPickerMode: UInt, Sendable {
  case `import`
  case open
  case exportToService
  case moveToService
}
