/// The account that web views of an app act for.
///
/// Source: Intune App SDK for iOS, stage 5, web views.
public enum WebViewPolicy: String, Sendable, CaseIterable {
  /// The account that the app acts for.
  case currentIdentity
  /// The account that the app acts for, but nothing may be uploaded or pasted.
  case currentIdentityWithoutUpload
  /// No account: `TreatAllWebViewsAsUnmanaged`, or the app declares the web view unmanaged.
  case unmanaged
}
