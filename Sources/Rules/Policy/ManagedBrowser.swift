/// The browser that "Microsoft Edge" and `managedBrowserToOpenLinksRequired` mean.
public enum ManagedBrowser {
  /// The bundle id, in lower case.
  public static let bundleID = "com.microsoft.msedge"
}
