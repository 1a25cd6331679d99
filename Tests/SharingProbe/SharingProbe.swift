internal import Glibc
internal import SluiceKit

/// An app and an extension that exchange items.
///
/// As an app, it shares an item in four representations with the extension that `probe:BUNDLE`
/// names. It stores the returned items and the outcome in the file `report`. As an extension, it
/// loads the item by every method, and returns the deviations, or `ok`.
final class SharingProbe: ApplicationDelegate {
  private var failures: [String] = []
  private var isPictureCancelled = false

  // MARK: The app

  func application(_ application: Application, open url: String, from sender: String) {
    let thing = ItemProvider(suggestedName: "figures.txt")
    thing.registerData(Array("Quarterly figures".utf8), forTypeIdentifier: "public.plain-text")
    thing.registerDataRepresentation(forTypeIdentifier: "public.jpeg") { progress, completion in
      progress.fractionCompleted = 0.5
      // The progress is too small to be reported.
      progress.fractionCompleted = 0.505
      completion([0xFF, 0xD8, 0xFF])
    }
    // The representation is requested but never created.
    thing.registerDataRepresentation(forTypeIdentifier: "public.png") {
      [unowned self] progress, _ in
      progress.cancellationHandler = { [unowned self] in isPictureCancelled = true }
      progress.fractionCompleted = 0.25
    }
    thing.registerDataRepresentation(forTypeIdentifier: "public.tiff") { _, completion in
      completion(nil)
    }
    let item = ExtensionItem(
      attributedTitle: "Figures", attributedContentText: "of the quarter", attachments: [thing])
    application.share([item], with: String(url.dropFirst("probe:".count))) {
      [unowned self] outcome in
      let returned = outcome.items.first?.text ?? "nothing"
      keep("\(returned)\n\(outcome.end)\n\(isPictureCancelled ? "cancelled" : "not cancelled")")
    }
  }

  private func keep(_ report: String) {
    guard let file = fopen("report.part", "w") else { return }
    fputs(report, file)
    fclose(file)
    rename("report.part", "report")
  }

  // MARK: The extension

  func beginRequest(with context: ExtensionContext) {
    guard let thing = context.attachments.first else {
      return context.cancelRequest(withError: "nothing was shared")
    }
    expect(context.inputItems.first?.attributedTitle == "Figures", "the title")
    expect(context.inputItems.first?.attributedContentText == "of the quarter", "the text")
    expect(thing.suggestedName == "figures.txt", "the name")
    expect(
      thing.registeredTypeIdentifiers.map(Self.plain) == [
        "public.plain-text", "public.jpeg", "public.png", "public.tiff",
      ], "the types: \(thing.registeredTypeIdentifiers)")
    expect(thing.hasItemConformingToTypeIdentifier("public.image"), "an image")
    expect(!thing.hasItemConformingToTypeIdentifier("public.audio"), "no audio")
    do throws(ItemProviderError) {
      _ = try context.application.fileProtectionManager.protectionInfo(forItemProvider: thing)
      failures.append("an owner before anything was loaded")
    } catch {
      expect(error == .notLoaded, "the error before anything was loaded")
    }
    promised(thing, context)
  }

  private func promised(_ thing: ItemProvider, _ context: ExtensionContext) {
    var seen: [Double] = []
    let progress = thing.loadDataRepresentation(forTypeIdentifier: "public.jpeg") { [self] result in
      expect(result == .success([0xFF, 0xD8, 0xFF]), "a promise: \(result)")
      expect(seen == [0.5, 1], "its progress: \(seen)")
      cancelled(thing, context)
    }
    progress.onChange = { seen.append($0) }
  }

  private func cancelled(_ thing: ItemProvider, _ context: ExtensionContext) {
    let progress = thing.loadDataRepresentation(forTypeIdentifier: "public.png") { [self] result in
      expect(result == .failure(.cancelled), "what was cancelled: \(result)")
      refused(thing, context)
    }
    progress.onChange = { [unowned progress] _ in progress.cancel() }
  }

  private func refused(_ thing: ItemProvider, _ context: ExtensionContext) {
    thing.loadDataRepresentation(forTypeIdentifier: "public.tiff") { [self] result in
      expect(Self.rule(result) == "nothingToImport", "a promise that is not kept: \(result)")
      thing.loadDataRepresentation(forTypeIdentifier: "public.audio") { [self] result in
        let types = thing.registeredTypeIdentifiers
        expect(
          result == .failure(.notOffered("public.audio", offered: types)),
          "what is not offered: \(result)")
        files(thing, context)
      }
    }
  }

  private func files(_ thing: ItemProvider, _ context: ExtensionContext) {
    let application = context.application
    // With the prefix, the type is the same, whether it is registered with or without the prefix.
    let type = Self.prefix + Self.plain(thing.registeredTypeIdentifiers.first ?? "")
    expect(thing.hasItemConformingToTypeIdentifier(type), "the same with the prefix")
    thing.loadFileRepresentation(forTypeIdentifier: type, in: application) { [self] result in
      guard case .success(let loaded) = result else {
        failures.append("a file: \(result)")
        return texts(thing, context)
      }
      expect(loaded.path.hasSuffix("figures.txt"), "the file's name: \(loaded.path)")
      expect((try? loaded.file.contents()) == Array("Quarterly figures".utf8), "the file's content")
      loaded.file.close()
      texts(thing, context)
    }
  }

  private func texts(_ thing: ItemProvider, _ context: ExtensionContext) {
    thing.loadText { [self] result in
      expect(result == .success("Quarterly figures"), "the text: \(result)")
      do throws(ItemProviderError) {
        let owner = try context.application.fileProtectionManager.protectionInfo(
          forItemProvider: thing)
        expect(owner?.accountId ?? "" == (owner == nil ? "" : "anna@contoso.com"), "the owner")
        try context.application.policy.canReceiveSharedItemProvider(thing) { [self] can in
          expect(can, "canReceiveSharedItemProvider")
          finish(context)
        }
      } catch {
        failures.append("\(error)")
        finish(context)
      }
    }
  }

  private func finish(_ context: ExtensionContext) {
    let report = failures.isEmpty ? "ok" : failures.joined(separator: "; ")
    context.completeRequest(returningItems: [Item(text: report)])
  }

  private func expect(_ holds: Bool, _ what: String) {
    if !holds { failures.append(what) }
  }

  private static func rule<Value>(_ result: Result<Value, ItemProviderError>) -> String? {
    guard case .failure(.refused(_, let reasons)) = result else { return nil }
    return reasons.first?.rule
  }

  private static let prefix = "com.microsoft.intune.mam."

  private static func plain(_ type: String) -> String {
    type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
  }
}
