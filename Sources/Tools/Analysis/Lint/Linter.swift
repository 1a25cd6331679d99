package import Encodings
package import GraphDocuments
import Model
import Output
package import Policy

package enum Linter {
  /// Returns the findings about one file, in the order of its lines.
  ///
  /// The findings are the mistakes in each policy and the warnings from reading the file, or the errors that make the
  /// file unreadable.
  package static func lint(_ bytes: [UInt8], file: String) -> [LintFinding] {
    do throws(PolicyErrors) {
      let policies = try PolicyReader.policies(in: bytes, file: file)
      return policies.flatMap { lint($0.document, stated: $0.object) }
    } catch {
      return error.errors.map { LintFinding($0) }
    }
  }

  /// Returns the findings about a folder of exports. Files that are not iOS policies have no findings.
  package static func lint(_ survey: ExportFolder.Survey) -> [LintFinding] {
    var findings = survey.warnings.map { LintFinding($0) }
    findings += survey.files.flatMap { file in
      file.errors.map { LintFinding($0) }
        + file.policies.flatMap { lint($0.document, stated: $0.object) }
    }
    return findings + [survey.absence].compactMap { $0.map { LintFinding($0) } }
  }

  /// Returns the findings about one policy.
  ///
  /// - Parameter object: The JSON from which the document was read. If it lacks a setting, findings
  ///   about the setting have the document's position.
  package static func lint(
    _ document: PolicyDocument, stated object: JSONValue
  ) -> [LintFinding] {
    let subject = LintSubject(document: document, object: object)
    let android = subject.androidProperties
    let isOfAndroid = Set(android.map(\.position))
    // Android settings have their own rule.
    var findings = document.warnings.filter {
      $0.code != .unknownProperty || !isOfAndroid.contains($0.position)
    }.map { LintFinding($0) }
    let warned = Set(findings.map(\.position))
    // A position that already has a warning from reading gets no second finding.
    for finding in subject.whiteSpace + subject.deadSettings
    where !warned.contains(finding.position) {
      findings.append(finding)
    }
    findings += subject.omissions + subject.contradictions + subject.versionBounds
    findings += subject.remarks + android
    return LintFinding.inOrder(findings)
  }
}

// MARK: - The policy under inspection

/// A policy under inspection, with the JSON from which it was read.
private struct LintSubject {
  let document: PolicyDocument
  let object: JSONValue

  var settings: Settings { document.settings }

  /// Returns the property with that name; nil if it is absent or null.
  func member(_ name: String) -> JSONValue.Member? {
    object.members?.last { $0.name == name && !$0.value.isNull }
  }

  /// Returns the setting's position, or the policy's position if the policy does not state the setting.
  func position(of setting: Setting) -> Position {
    member(setting.rawValue)?.position ?? document.position
  }

  /// The schemes in `exemptedAppProtocols`, and the positions of the values that contain them.
  var exemptedSchemes: [(scheme: String, position: Position)] {
    let pairs = member(Setting.exemptedAppProtocols.rawValue)?.value.array ?? []
    return pairs.compactMap { $0["value"] }.flatMap { value in
      (value.string ?? "").split(separator: ";").map { part in
        let text = part.filter { !$0.isWhitespace }.lowercased()
        return (text.hasSuffix(":") ? String(text.dropLast()) : text, value.position)
      }
    }
  }

  func isStated(_ setting: Setting) -> Bool { document.origins[setting] != nil }

  func finding(_ rule: LintRule, at position: Position, _ message: String) -> LintFinding {
    LintFinding(rule, file: document.file, at: position, message)
  }

  func finding(_ rule: LintRule, at setting: Setting, _ message: String) -> LintFinding {
    finding(rule, at: position(of: setting), message)
  }
}

// MARK: - White space

/// Finds white space around names and values in any part of the policy.
extension LintSubject {
  /// Members whose white space is not reported here: the policy reader reports it in bundle ids, and it is harmless in
  /// display texts.
  private static let exceptions: Set<String> = [
    "bundleId",
    "displayName", "description", "customBrowserDisplayName", "customDialerAppDisplayName",
    "messagingRedirectAppDisplayName",
  ]

  var whiteSpace: [LintFinding] { whiteSpace(in: object) }

  private func whiteSpace(in value: JSONValue) -> [LintFinding] {
    switch value.kind {
    case .string(let text):
      guard Self.hasSpaceAround(text) else { return [] }
      return [
        finding(
          .whiteSpace, at: value.position, "the value `\(text)` begins or ends with white space")
      ]
    case .array(let elements): return elements.flatMap(whiteSpace)
    case .object(let members): return members.flatMap(whiteSpace)
    case .null, .bool, .number: return []
    }
  }

  private func whiteSpace(in member: JSONValue.Member) -> [LintFinding] {
    var findings: [LintFinding] = []
    if Self.hasSpaceAround(member.name) {
      findings.append(
        finding(
          .whiteSpace, at: member.position,
          "the name `\(member.name)` begins or ends with white space, so it does not match the name without the white space"
        ))
    }
    if !Self.exceptions.contains(member.name) { findings += whiteSpace(in: member.value) }
    return findings
  }

  private static func hasSpaceAround(_ text: String) -> Bool {
    text.first?.isWhitespace == true || text.last?.isWhitespace == true
  }
}

// MARK: - Settings without effect

/// Finds settings that are stated but have no effect.
extension LintSubject {
  /// Findings for settings that have no effect. Defaults and values that the admin centre fills in are
  /// skipped, because no administrator chose them.
  var deadSettings: [LintFinding] {
    DeadSetting.all.compactMap { fact in
      guard isStated(fact.setting), !settings.isDefault(fact.setting),
        !AdminCentreValues.holds(fact.setting, in: settings), let cause = fact.cause(settings)
      else { return nil }
      var finding = finding(
        .noEffect, at: fact.setting,
        "`\(fact.setting.rawValue)` has no effect, because \(cause.words)")
      if cause.isStricter { finding.severity = .note }
      return finding
    }
  }
}

// MARK: - Omissions

/// Finds properties that an export omits.
extension LintSubject {
  var omissions: [LintFinding] { assignment + deviceState + locations }

  private var assignment: [LintFinding] {
    if let flag = member("isAssigned"), flag.value.bool == false, member("assignments") == nil {
      return [
        finding(
          .notAssigned, at: flag.position,
          "`isAssigned` is false, so the policy reaches no user; Sluice applies it anyway")
      ]
    }
    return []
  }

  private var deviceState: [LintFinding] {
    guard document.targeting.levels?.isEmpty == true else { return [] }
    let position = member("targetedAppManagementLevels")?.position ?? document.position
    return [
      finding(
        .noDeviceState, at: position,
        "`targetedAppManagementLevels` names only states of Android devices, so the policy reaches no iPhone"
      )
    ]
  }

  private var locations: [LintFinding] {
    var findings: [LintFinding] = []
    if settings.saveAsBlocked, settings.allowedOutboundDataTransferDestinations == .managedApps {
      findings += missing(.allowedDataStorageLocations, while: .saveAsBlocked, "may be saved")
    }
    if settings.blockDataIngestionIntoOrganizationDocuments,
      settings.allowedInboundDataTransferSources == .managedApps
    {
      findings += missing(
        .allowedDataIngestionLocations, while: .blockDataIngestionIntoOrganizationDocuments,
        "may be opened")
    }
    return findings
  }

  private func missing(_ list: Setting, while block: Setting, _ what: String) -> [LintFinding] {
    guard !isStated(list) else { return [] }
    return [
      finding(
        .locationsMissing, at: block,
        "`\(block.rawValue)` is true and `\(list.rawValue)` is absent, so nothing \(what)")
    ]
  }
}

// MARK: - Contradictions

/// Finds contradictory settings.
extension LintSubject {
  var contradictions: [LintFinding] { missingSchemes + exemptions + offlineOrder }

  private var missingSchemes: [LintFinding] {
    var findings: [LintFinding] = []
    if settings.dialerRestrictionLevel == .customApp, settings.dialerScheme == nil {
      findings.append(
        schemeMissing(
          .customDialerAppProtocol, for: .dialerRestrictionLevel, "number can be called"))
    }
    if settings.protectedMessagingRedirectAppType == .specificApps, settings.messagingScheme == nil
    {
      findings.append(
        schemeMissing(
          .messagingRedirectAppUrlScheme, for: .protectedMessagingRedirectAppType,
          "message can be sent"))
    }
    return findings
  }

  /// Returns the finding about a required app that has no URL scheme.
  ///
  /// - Parameter what: The action that is impossible without a scheme, such as `number can be called`.
  private func schemeMissing(
    _ scheme: Setting, for level: Setting, _ what: String
  ) -> LintFinding {
    let isStated = settings.graphValue(of: scheme) != .text("")
    let defect = isStated ? "is not a URL scheme" : "names no app"
    return finding(
      .schemeMissing, at: level,
      "`\(level.rawValue)` is \(shown(level)) and `\(scheme.rawValue)` \(defect), so no \(what)")
  }

  /// Findings about exempted schemes. Each exemption bypasses a setting that would restrict the scheme.
  private var exemptions: [LintFinding] {
    exemptedSchemes.compactMap { scheme, position in
      guard let level = restriction(of: scheme) else { return nil }
      return finding(
        .exemptedPast, at: position,
        "`\(scheme)` is exempted, so any app opens it although `\(level.rawValue)` is \(shown(level))"
      )
    }
  }

  /// Returns the setting that limits the apps for URLs with this scheme; nil if there is none.
  private func restriction(of scheme: String) -> Setting? {
    switch scheme {
    case "tel", "telprompt":
      settings.dialerRestrictionLevel == .allApps ? nil : .dialerRestrictionLevel
    case "sms", "imessage":
      settings.protectedMessagingRedirectAppType == .anyApp
        ? nil : .protectedMessagingRedirectAppType
    default: nil  // open: any other scheme
    }
  }

  private var offlineOrder: [LintFinding] {
    let block = settings.periodOfflineBeforeAccessCheck
    let wipe = settings.periodOfflineBeforeWipeIsEnforced
    guard block > 0, wipe > 0, wipe <= block else { return [] }
    return [
      finding(
        .offlineOrder, at: .periodOfflineBeforeWipeIsEnforced,
        "org data is wiped after \(shown(.periodOfflineBeforeWipeIsEnforced)) offline, before access is blocked "
          + "after \(shown(.periodOfflineBeforeAccessCheck))")
    ]
  }

  private func shown(_ setting: Setting) -> String {
    "`\(settings.graphValue(of: setting) ?? .null)`"
  }
}

// MARK: - Version bounds

/// Finds contradictory version bounds.
extension LintSubject {
  /// The limits on one version, such as the OS version, for a warning, a block and a wipe, each with its setting.
  private struct Bounds {
    typealias Bound = (setting: Setting, version: Version?)

    let warning: Bound
    let block: Bound
    let wipe: Bound
    /// Whether the bounds are maximums; otherwise they are minimums.
    var isMaximum = false

    /// Returns whether every version that violates `late` also violates `harsher`.
    func isCovered(_ late: Bound, by harsher: Bound) -> Bool {
      guard let late = late.version, let harsher = harsher.version else { return false }
      return isMaximum ? harsher <= late : late <= harsher
    }
  }

  var versionBounds: [LintFinding] {
    let minimumOS = Bounds(
      warning: (.minimumWarningOsVersion, settings.minimumWarningOsVersion),
      block: (.minimumRequiredOsVersion, settings.minimumRequiredOsVersion),
      wipe: (.minimumWipeOsVersion, settings.minimumWipeOsVersion))
    let maximumOS = Bounds(
      warning: (.maximumWarningOsVersion, settings.maximumWarningOsVersion),
      block: (.maximumRequiredOsVersion, settings.maximumRequiredOsVersion),
      wipe: (.maximumWipeOsVersion, settings.maximumWipeOsVersion), isMaximum: true)
    let minimumApp = Bounds(
      warning: (.minimumWarningAppVersion, settings.minimumWarningAppVersion),
      block: (.minimumRequiredAppVersion, settings.minimumRequiredAppVersion),
      wipe: (.minimumWipeAppVersion, settings.minimumWipeAppVersion))
    let minimumSDK = Bounds(
      warning: (.minimumWarningSdkVersion, settings.minimumWarningSdkVersion),
      block: (.minimumRequiredSdkVersion, settings.minimumRequiredSdkVersion),
      wipe: (.minimumWipeSdkVersion, settings.minimumWipeSdkVersion))
    return [minimumOS, maximumOS, minimumApp, minimumSDK].flatMap(order)
      + crossing(minimumOS, maximumOS)
  }

  private func order(of bounds: Bounds) -> [LintFinding] {
    var findings: [LintFinding] = []
    if bounds.isCovered(bounds.block, by: bounds.wipe) {
      findings.append(covered(bounds.block, "no user is blocked", by: bounds.wipe, "wipes"))
    }
    if bounds.isCovered(bounds.warning, by: bounds.block) {
      findings.append(covered(bounds.warning, "no user is warned", by: bounds.block, "blocks"))
    } else if bounds.isCovered(bounds.warning, by: bounds.wipe) {
      findings.append(covered(bounds.warning, "no user is warned", by: bounds.wipe, "wipes"))
    }
    return findings
  }

  private func covered(
    _ late: Bounds.Bound, _ effect: String, by harsher: Bounds.Bound, _ action: String
  ) -> LintFinding {
    finding(
      .versionOrder, at: late.setting,
      "\(effect) by `\(late.setting.rawValue)` \(text(late)), because `\(harsher.setting.rawValue)` "
        + "\(text(harsher)) \(action) first")
  }

  /// Returns the findings about a minimum that is above the maximum.
  private func crossing(_ minimum: Bounds, _ maximum: Bounds) -> [LintFinding] {
    let lowest = [minimum.block, minimum.wipe].filter { $0.version != nil }
      .max { ($0.version ?? Version()) < ($1.version ?? Version()) }
    let highest = [maximum.block, maximum.wipe].filter { $0.version != nil }
      .min { ($0.version ?? Version()) < ($1.version ?? Version()) }
    guard let lowest, let highest, let low = lowest.version, let high = highest.version,
      low > high
    else { return [] }
    return [
      finding(
        .noVersionLeft, at: lowest.setting,
        "`\(lowest.setting.rawValue)` \(low) is higher than `\(highest.setting.rawValue)` \(high), so no "
          + "device is allowed")
    ]
  }

  private func text(_ bound: Bounds.Bound) -> String { bound.version?.description ?? "none" }
}

// MARK: - Remarks

/// Finds settings that are valid but questionable.
extension LintSubject {
  var remarks: [LintFinding] { sharePoint + wideExemptions + exemptedManagedLinks }

  private var sharePoint: [LintFinding] {
    var findings: [LintFinding] = []
    let storage = settings.allowedDataStorageLocations
    if settings.saveAsBlocked, settings.allowedOutboundDataTransferDestinations == .managedApps,
      storage.contains(.oneDriveForBusiness) != storage.contains(.sharePoint)
    {
      findings.append(
        remark(.allowedDataStorageLocations, hasOneDrive: storage.contains(.oneDriveForBusiness)))
    }
    let ingestion = settings.allowedDataIngestionLocations
    if settings.blockDataIngestionIntoOrganizationDocuments,
      settings.allowedInboundDataTransferSources == .managedApps,
      ingestion.contains(.oneDriveForBusiness) != ingestion.contains(.sharePoint)
    {
      findings.append(
        remark(
          .allowedDataIngestionLocations, hasOneDrive: ingestion.contains(.oneDriveForBusiness)))
    }
    return findings
  }

  private func remark(_ setting: Setting, hasOneDrive: Bool) -> LintFinding {
    finding(
      .sharePoint, at: setting,
      hasOneDrive
        ? "`oneDriveForBusiness` without `sharePoint` covers neither SharePoint Online nor SharePoint servers"
        : "`sharePoint` without `oneDriveForBusiness` covers SharePoint Online, too")
  }

  private var wideExemptions: [LintFinding] {
    exemptedSchemes.compactMap { scheme, position in
      Self.wideSchemes[scheme].map {
        finding(.wideExemption, at: position, "`\(scheme)` is exempted: \($0)")
      }
    }
  }

  /// Findings about exempted links that the policy, or the admin centre's default, lists as links to org data.
  private var exemptedManagedLinks: [LintFinding] {
    let all = settings.exemptedUniversalLinks
    guard !settings.isAnyBrowserAllowed, !all.isEmpty else { return [] }
    let managed = settings.managedUniversalLinks
    let (exempting, managing) = (
      LinkPatternIndex(all), LinkPatternIndex(managed + AdminCentreValues.managedLinks)
    )
    let samples = Self.samples(of: managed) + Self.adminCentreSamples
    let matched = Set(samples.flatMap(exempting.places))
    let exempted = zip(all.indices, all).filter { place, link in
      matched.contains(place)
        || Self.samples(of: [link]).contains { !managing.places(for: $0).isEmpty }
    }.map(\.1)
    guard !exempted.isEmpty else { return [] }
    let names = Self.list(exempted.map(\.text))
    return [
      finding(
        .managedLinkExempted, at: .exemptedUniversalLinks,
        "\(names) \(exempted.count == 1 ? "leads" : "lead") to org data, and any app may open "
          + "\(exempted.count == 1 ? "it" : "them")")
    ]
  }

  private static func samples(of patterns: [LinkPattern]) -> [WebLink] {
    patterns.flatMap(\.samples).compactMap(WebLink.init)
  }

  private static let adminCentreSamples = samples(of: AdminCentreValues.managedLinks)

  /// Returns a text with the first three names and the number of further names.
  static func list(_ names: [String]) -> String {
    ListFormat.first(3, of: names.map { "`\($0)`" })
  }

  private static let wideSchemes = [
    "http": "any web page opens in any browser",
    "https": "any web page opens in any browser",
    "mailto": "org data can be sent with any mail app, and the in-app mail composer is allowed",
    "sms":
      "org data can be sent with any messaging app, and the in-app message composer is allowed",
    "file": "any file can be shared by its URL",
  ]
}

// MARK: - Android properties

/// Finds properties that iOS policies do not have.
extension LintSubject {
  var androidProperties: [LintFinding] {
    let members = (object.members ?? []).filter {
      AndroidProperties.contains($0.name) && !$0.value.isNull
    }
    let restricting = members.filter(\.statesAnything)
    let idle = members.filter { !$0.statesAnything }
    var findings = restricting.map { member in
      let counterpart = AndroidProperties.counterpart(of: member.name)
      return finding(
        .androidOnly, at: member.position,
        "`\(member.name)` is a setting of Android and has no effect on an iPhone"
          + (counterpart.map { "; iOS has `\($0)`" } ?? ""))
    }
    if let first = idle.first {
      let words =
        idle.count == 1 ? "is a setting of Android and has" : "are settings of Android and have"
      var note = finding(
        .androidOnly, at: first.position,
        "\(Self.list(idle.map(\.name))) \(words) no effect on an iPhone")
      note.severity = .note
      findings.append(note)
    }
    return findings
  }
}
