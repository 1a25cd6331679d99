public import Transfer

extension Action {
  /// A look at what the system would offer to share with.
  public struct ShareSheet: Sendable, Equatable {
    /// Name of the sharing guest.
    public var from: String
    /// At least one.
    public var items: [Item]
    public var via: SharingPath

    /// One thing that would be shared.
    public struct Item: Sendable, Equatable {
      /// nil: it is no file.
      public var fileName: String?
      /// Uniform types; empty: what the file's name stands for.
      public var types: [String]

      package init(fileName: String? = nil, types: [String] = []) {
        self.fileName = fileName
        self.types = types
      }
    }

    package init(from: String, items: [Item], via: SharingPath = .sdk) {
      self.from = from
      self.items = items
      self.via = via
    }

    var text: String {
      let what = items.map { item in
        item.fileName.map { "`\(short($0))`" } ?? item.types.joined(separator: " or ")
      }
      return "\(from) looks at the share sheet for \(what.joined(separator: ", "))\(via.text)"
    }
  }
}
