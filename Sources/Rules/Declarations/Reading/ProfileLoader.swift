internal import Bundle

/// Loads the profile that a configuration names.
struct ProfileLoader {
  let folder: DeclarationFolder
  let assets: [String: Asset]

  func profile(_ source: ProfileSource) -> Result<ConfigurationProfile, AssetFault> {
    do throws(AssetFault) {
      let (path, bytes) = try data(of: source)
      do throws(BundleError) {
        return .success(try ConfigurationProfile(bytes, file: folder.display(path)))
      } catch {
        let place = error.line.map { ":\($0)" } ?? ""
        return .failure(AssetFault(.cannotBeDeserialized, "\(path)\(place): \(error.message)"))
      }
    } catch {
      return .failure(error)
    }
  }

  private func data(
    of source: ProfileSource
  ) throws(AssetFault) -> (path: String, bytes: [UInt8]) {
    switch source {
    case .url(let url):
      let location = try AssetLocation(url, root: folder.root)
      guard let bytes = folder.files[location.path] else {
        throw AssetFault(.cannotBeDownloaded, "there is no file `\(location.path)` in the folder")
      }
      return (location.path, bytes)
    case .asset(let identifier):
      guard let asset = assets[identifier], case .data(let data) = asset.content else {
        throw AssetFault(.cannotBeDownloaded, "the asset `\(identifier)` cannot be used")
      }
      return (asset.path, data.value)
    }
  }
}
