public enum UIDocumentPickerMode: UInt, Sendable {
  case `import`
  case open
  case exportToService
  case moveToService
}
