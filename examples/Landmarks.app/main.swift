internal import FoundationEssentials
internal import ManagedApp
internal import SluiceKit
internal import Synchronization

/// A collection of landmarks that an administrator has selected for a class.
struct ManagedCollection: Decodable, Equatable {
  var name: String
  var landmarks: [Int]

  private enum CodingKeys: String, CodingKey {
    case name, landmarks
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    landmarks = try values.decode([Int].self, forKey: .landmarks)
    guard !landmarks.isEmpty else { throw ConfigurationError.noLandmarks }
  }
}

/// The app's configuration.
struct ManagedConfiguration: Decodable {
  var collection: ManagedCollection?
  /// The URL of the landmarks' resources.
  var resources: String?
}

/// An error with a code from the published specification, for the administrator.
struct ConfigurationError: ManagedAppConfigurationDecodingError {
  var code: ManagedAppConfigurationDecodingErrorCode
  var message: String

  static var noLandmarks: any Error {
    ManagedAppConfigurationDecodingErrorCode(rawValue: 100).map {
      ConfigurationError(code: $0, message: "the collection has no landmarks")
    } ?? CocoaError(.propertyListReadCorrupt)
  }
}

/// Shows the administrator's collection in the container's file `collection`, with one line each for its name
/// and landmarks. Without a collection, the file is empty. `secrets` lists the identifiers of the other
/// provided assets, `signature` holds a signature of the collection's name by the device's key, and `resources`
/// holds the configured server's response.
final class Landmarks: ApplicationDelegate, Sendable {
  private let resources = ResourceKeeper()

  func start() {
    Task {
      for await configuration in await ManagedAppConfigurationProvider().configurations(
        ManagedConfiguration.self)
      {
        let collection = configuration?.collection
        let lines = collection.map { [$0.name] + $0.landmarks.map(String.init) } ?? []
        write(lines, to: "collection")
        if let collection { await sign(collection.name) }
        await resources.follow(configuration?.resources)
      }
    }
    Task {
      for await _ in await ManagedAppIdentitiesProvider().identifiers { await resources.renew() }
    }
    Task {
      for await identifiers in await ManagedAppPasswordsProvider().identifiers {
        var lines: [String] = []
        for identifier in identifiers {
          // Records only whether a password exists: apps should not store secrets.
          let password = try? await ManagedAppPasswordsProvider().password(
            withIdentifier: identifier)
          lines.append("\(identifier): \(password?.count ?? 0) characters")
        }
        write(lines, to: "secrets")
      }
    }
  }

  private func sign(_ text: String) async {
    do throws(ManagedAppError) {
      let identity = try await ManagedAppIdentitiesProvider().identity(withIdentifier: "device")
      let signature = try await identity.signature(for: Data(text.utf8))
      write([signature.base64EncodedString()], to: "signature")
    } catch {
      write(["\(error)"], to: "signature")
    }
  }

  private func write(_ lines: [String], to file: String) {
    let text = lines.map { $0 + "\n" }.joined()
    try? Data(text.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
  }
}

let landmarks = Landmarks()
let application = try Application.connect(delegate: landmarks)
application.startManagedApp()
landmarks.start()
application.run()
