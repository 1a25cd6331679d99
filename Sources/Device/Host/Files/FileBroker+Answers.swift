internal import Model
internal import Policy
internal import Wire

/// The answer to a request about a file or protected data.
struct FileAnswer {
  var verdict: Verdict
  var place: FilePlace?
  var owner: Account?
  /// The grant for the guest; nil where there is nothing to hand out.
  var grant: FileGrant?
  /// What the file is opened for; nil where it is not.
  var use: FileUse?
  /// The place after a move; nil where the file stays where it is.
  var target: FilePlace?

  init(
    _ verdict: Verdict, _ place: FilePlace?, _ owner: Account?, _ grant: FileGrant? = nil,
    for use: FileUse? = nil, movedTo target: FilePlace? = nil
  ) {
    self.use = use
    self.target = target
    self.verdict = verdict
    self.place = place
    self.owner = owner
    self.grant = grant
  }
}

/// The failure of a request about a file that was not refused: `status` is the code of
/// `IntuneMAMFileProtectionManagerErrors`.
struct FileFault: Error {
  var status: Int
  var text: String

  static let encryptFailed = 102
  static let decryptFailed = 103
  static let fileNotFound = 104
  static let isFolder = 105
  static let internalError = 107

  init(status: Int, _ text: String) {
    self.status = status
    self.text = text
  }

  init(_ error: ContainerError, _ place: FilePlace) {
    let status =
      error.isMissing ? Self.fileNotFound : error.isFolder ? Self.isFolder : Self.internalError
    self.init(status: status, "cannot \(error.action) `\(place)`: \(error.reason)")
  }

  init(_ excess: DiskExcess, _ place: FilePlace) {
    self.init(status: Self.internalError, "cannot create `\(place)`: \(excess)")
  }

  static func missing(_ place: FilePlace) -> FileFault {
    FileFault(status: fileNotFound, "there is no file `\(place)`")
  }
}

extension FileBroker {
  /// The place of a file that a guest names.
  enum NamedPlace {
    case found(FilePlace)
    case refused(Rule)
  }

  func place(of file: FileReference, in guest: Guest) -> NamedPlace {
    guard file.group.isEmpty || guest.app.accessibleGroups.contains(file.group) else {
      return .refused(.appGroupNotEntitled)
    }
    let scope =
      file.group.isEmpty
      ? Folders.scope(ofContainer: guest.app.name) : Folders.scope(ofGroup: file.group)
    return FilePlace(scope: scope, path: file.path).map(NamedPlace.found)
      ?? .refused(.fileOutsideContainer)
  }

  /// Answers a request about a file of the guest's own containers.
  func serve(
    _ file: FileReference, _ operation: Operation, _ pending: PendingRequest,
    _ body: (FilePlace) throws(FileFault) -> FileAnswer
  ) {
    switch place(of: file, in: pending.guest) {
    case .refused(let rule):
      let path = String(decoding: file.path, as: UTF8.self)
      replies.answer(
        pending, operation,
        Verdict([
          Reason(rule, .device, rule == .appGroupNotEntitled ? .applicationGroups : nil)
        ]), subject: file.group.isEmpty ? path : "\(file.group)/\(path)",
        citing: groupCitations(pending.guest.app), end: .refused)
    case .found(let place):
      answer(operation, pending, subject: place.description) { () throws(FileFault) in
        try body(place)
      }
    }
  }

  private func groupCitations(_ app: AppDescription) -> [Setting: Explainer.Citation] {
    [
      .applicationGroups: Explainer.Citation(
        value: app.appGroups.joined(separator: ", "), source: "entitlements of `\(app.name)`")
    ]
  }

  /// Records and answers the result of `body`.
  func answer(
    _ operation: Operation, _ pending: PendingRequest, subject: String?,
    _ body: () throws(FileFault) -> FileAnswer
  ) {
    do throws(FileFault) {
      let found = try body()
      recordDecision(pending, operation, subject, found)
      replies.finish(
        pending,
        RequestOutcome(
          verdict: found.verdict.outcome,
          end: found.verdict.outcome == .blocked ? .refused : .delivered,
          reasons: found.verdict.reasons.map(OutcomeReason.init), file: found.grant))
    } catch {
      let nothing = FileAnswer(Verdict([Reason(.noRuleApplied, .device)]), nil, nil)
      recordDecision(pending, operation, subject, nothing)
      replies.finish(
        pending, RequestOutcome(verdict: .allowed, end: .failed, status: error.status),
        detail: error.text)
    }
  }

  private func recordDecision(
    _ pending: PendingRequest, _ operation: Operation, _ subject: String?, _ answer: FileAnswer
  ) {
    audit.decided(
      pending,
      RequestDecision(
        request: pending.number, operation: operation, sender: pending.actingIdentity.participant,
        owner: answer.owner?.upn, subject: subject, use: answer.use,
        target: answer.target?.description,
        verdict: Explainer.explain(
          answer.verdict, citing: pending.guest.accounts.policy(of: answer.owner))))
  }
}
