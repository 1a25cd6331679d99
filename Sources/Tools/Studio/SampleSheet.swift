internal import Analysis
internal import Encodings
internal import Model
internal import Output
internal import Policy
internal import UniformTypes

/// The sample device's share sheet for an app, one of the app's accounts, and an item.
struct SampleSheet {
  private let device: SampleDevice
  private let sheet: Sheet
  private let choice: (sender: Int, item: Int, via: SharingPath)
  private let settings: Settings

  private struct Item {
    var title: String
    var content: Sharing.Content
  }

  private static let items = [
    Item(title: "PDF", content: .init(fileNamed: "Report.pdf", in: .system)),
    Item(title: "Word document", content: .init(fileNamed: "Report.docx", in: .system)),
    Item(title: "Picture", content: .init(fileNamed: "Picture.jpg", in: .system)),
    Item(title: "Text", content: .init(types: [Model.Item.plainText])),
    Item(title: "Web link", content: .init(types: ["public.url"])),
  ]

  static var itemCount: Int { items.count }

  /// Creates the share sheet under a policy.
  ///
  /// - Parameters:
  ///   - sender: The index of the app and its account. An invalid index selects the first app and account.
  ///   - item: The index of the item. It must be valid.
  init(_ document: PolicyDocument, sender: Int, item: Int, via path: SharingPath) {
    let device = SampleDevice(document)
    self.device = device
    let senders = Self.senders(on: device)
    let place = senders.indices.contains(sender) ? sender : 0
    let (app, persona) = senders[place]
    choice = (place, item, path)
    settings = document.settings
    sheet = Sheet(
      Sharing(
        senderName: app.name, sender: device.party(app, as: persona),
        appPolicy: device.policy(of: app), via: path, device: device.restrictions,
        contents: [Self.items[item].content]),
      apps: device.destinations, extensions: device.extensions)
  }

  private static func senders(
    on device: SampleDevice
  ) -> [(app: SampleDevice.App, persona: SampleDevice.Persona)] {
    device.apps.filter(\.isProtected).flatMap { app in
      SampleDevice.Persona.allCases.map { (app, $0) }
    }
  }

  /// Writes the choices and the destinations. A destination that can be shown in different ways, such as "Copy to" and
  /// "Open in", is listed once for each way.
  func write(to writer: inout JSONWriter) {
    writer.strings(
      "senders",
      Self.senders(on: device).map { "\($0.app.name), \($0.persona.rawValue)" })
    writer.member("sender", choice.sender)
    writer.strings("items", Self.items.map(\.title))
    writer.member("item", choice.item)
    writer.member("via", choice.via.rawValue)
    writer.objects("destinations", of: sheet.destinations) { writer, destination in
      writer.member("title", destination.title)
      writer.member("kindTitle", destination.kind.title)
      writer.member("visibility", destination.visibility.rawValue)
      writer.member("isIcon", destination.isIcon)
      writer.object("icon") { writer in
        writer.member("initial", destination.glyph.initial)
        writer.member("hue", destination.glyph.hue)
      }
      writer.objects("reasons", of: destination.causes) { writer, cause in
        writer.member("rule", cause.code)
        switch cause {
        case .finding(let finding): writer.member("text", finding.text)
        case .rule(let deciding):
          let reason = destination.transfer.explained.reasons.first { $0.rule == deciding.rule }
          writer.member("text", reason?.text)
          writer.member("setting", reason?.label)
          writer.member("value", deciding.setting.flatMap(settings.words))
        }
      }
    }
  }
}
