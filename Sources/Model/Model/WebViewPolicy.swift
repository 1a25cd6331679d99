/// What web views of an app act for.
///
/// Source: Intune App SDK for iOS, stage 5, web views.
public enum WebViewPolicy: String, Sendable, CaseIterable {
  /// The account that the app acts for.
  case currentIdentity
  /// The same, but nothing may be uploaded or pasted.
  case currentIdentityWithoutUpload
  /// Nobody: `TreatAllWebViewsAsUnmanaged`, or the app says so of the web view.
  case unmanaged
}
