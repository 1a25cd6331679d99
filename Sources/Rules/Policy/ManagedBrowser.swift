/// The browser that "Microsoft Edge" means, and `managedBrowserToOpenLinksRequired`.
public enum ManagedBrowser {
  /// Lower case.
  public static let bundleID = "com.microsoft.msedge"
}
