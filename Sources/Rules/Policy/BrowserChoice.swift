/// "Restrict web content transfer with other apps" as the admin centre offers it: one choice for three
/// Graph properties.
enum BrowserChoice: Hashable {
  // From the most permissive to the strictest.
  case any
  case unmanaged(scheme: String)
  case managed

  init(of settings: Settings) {
    self =
      if settings.managedBrowser == .microsoftEdge {
        .managed
      } else if let scheme = settings.browserScheme {
        .unmanaged(scheme: scheme)
      } else {
        settings.managedBrowserToOpenLinksRequired ? .managed : .any
      }
  }

  /// Sets the three properties to the strictest of `all`: an unmanaged browser holds against any browser,
  /// the managed one against both, and two different unmanaged browsers leave the managed one.
  static func settle(_ all: [Settings], into settings: inout Settings) {
    let choices = Set(all.map(BrowserChoice.init))
    let schemes = Set(
      choices.compactMap { if case .unmanaged(let scheme) = $0 { scheme } else { nil } })
    let isManaged = choices.contains(.managed) || schemes.count > 1
    if !isManaged { settings.customBrowserProtocol = schemes.first ?? "" }
    if isManaged, !schemes.isEmpty {
      settings.managedBrowserToOpenLinksRequired = true
      settings.customBrowserProtocol = ""
    }
  }
}
