internal import FoundationEssentials
internal import ManagedApp

/// Keeps the file `resources` of the container in sync with the configured URL, fetched with the identity
/// `device`. The file `resources.status` holds the result.
actor ResourceKeeper {
  private let loader = ResourceLoader()
  private var place: String?
  /// The latest fetched URL and the certificate used for it.
  private var latest: (place: String, certificate: Data?)?

  /// - Parameter place: the configured URL; nil if none is configured.
  func follow(_ place: String?) async {
    self.place = place
    guard place != nil else {
      latest = nil
      return keep([], "nothing is configured")
    }
    await renew()
  }

  /// Fetches the resources if the URL or the identity has changed.
  func renew() async {
    guard let place else { return }
    let identity = try? await ManagedAppIdentitiesProvider().identity(withIdentifier: "device")
    let certificate = identity?.certificates.first.map(SecCertificateCopyData)
    if let latest, latest == (place, certificate) { return }
    latest = (place, certificate)
    do {
      guard let url = URL(string: place) else { throw ResourceError.unknownServer }
      let content = try await loader.load(url, as: identity)
      // The configuration may have changed during the fetch.
      guard self.place == place else { return }
      keep(content, "fetched")
    } catch {
      guard self.place == place else { return }
      keep([], "failed: \(error)")
    }
  }

  private func keep(_ content: [UInt8], _ status: String) {
    try? Data(content).write(to: URL(fileURLWithPath: "resources"), options: .atomic)
    let line = status.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n"
    try? Data(line.utf8).write(to: URL(fileURLWithPath: "resources.status"), options: .atomic)
  }
}
