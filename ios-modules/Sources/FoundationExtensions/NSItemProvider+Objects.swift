public import Foundation

extension NSItemProvider {
  /// Returns whether an object of the class can be created from a representation.
  public func canLoadObject(ofClass objectClass: any NSItemProviderReading.Type) -> Bool {
    loadableType(objectClass) != nil
  }

  /// Returns whether a value of the type can be created from a representation.
  public func canLoadObject<Value: _ObjectiveCBridgeable>(
    ofClass valueType: Value.Type
  ) -> Bool where Value._ObjectiveCType: NSItemProviderReading {
    canLoadObject(ofClass: Value._ObjectiveCType.self)
  }

  /// Loads an object of the class.
  @discardableResult
  public func loadObject(
    ofClass objectClass: any NSItemProviderReading.Type,
    completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
  ) -> Progress {
    load(objectClass) { result in
      switch result {
      case .success(let object): completionHandler(object, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  /// Loads a value, such as a `String` or `URL`.
  @discardableResult
  public func loadObject<Value: _ObjectiveCBridgeable>(
    ofClass valueType: Value.Type,
    completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void
  ) -> Progress where Value._ObjectiveCType: NSItemProviderReading {
    let done = UncheckedBox { (result: Result<any NSItemProviderReading, any Error>) in
      switch result {
      case .success(let object):
        let value = (object as? Value._ObjectiveCType).map {
          Value._unconditionallyBridgeFromObjectiveC($0)
        }
        completionHandler(value, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
    return load(Value._ObjectiveCType.self) { done.value($0) }
  }

  private func load(
    _ objectClass: any NSItemProviderReading.Type,
    _ done: @escaping @Sendable (Result<any NSItemProviderReading, any Error>) -> Void
  ) -> Progress {
    let type = loadableType(objectClass) ?? "public.item"
    let maker = UncheckedBox(objectClass)
    return loadDataRepresentation(forTypeIdentifier: type) { data, error in
      done(
        Result {
          guard let data else { throw error ?? Self.error(.unknownError, "nothing was loaded") }
          return try maker.value.object(withItemProviderData: data, typeIdentifier: type)
        })
    }
  }

  private func loadableType(_ objectClass: any NSItemProviderReading.Type) -> String? {
    let types = registeredTypeIdentifiers
    return objectClass.readableTypeIdentifiersForItemProvider.lazy
      .compactMap { TypeMatching.first(of: types, conformingTo: $0) }.first
  }
}
