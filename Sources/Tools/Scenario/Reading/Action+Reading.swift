internal import Encodings
import Transfer

extension Action {
  init(_ key: Step.Key, _ value: YAMLValue, _ names: Names) throws(Mistake) {
    switch key {
    case .launch: self = try .lifecycle(Lifecycle(.launch, value, names))
    case .suspend: self = try .lifecycle(Lifecycle(.suspend, value, names))
    case .resume: self = try .lifecycle(Lifecycle(.resume, value, names))
    case .kill: self = try .lifecycle(Lifecycle(.kill, value, names))
    case .relaunch: self = try .lifecycle(Lifecycle(.relaunch, value, names))
    case .stop: self = try .lifecycle(Lifecycle(.stop, value, names))
    case .signIn: self = .signIn(try AccountChange(value, "a sign-in", names))
    case .signOut: self = .signOut(try AccountChange(value, "a sign-out", names))
    case .switchIdentity: self = .switchIdentity(try IdentitySwitch(value, names))
    case .share: self = .share(try Share(value, names))
    case .shareSheet: self = .shareSheet(try ShareSheet(value, names))
    case .import: self = .import(try Import(value, names))
    case .drop: self = .share(try Share(dropping: value, names))
    case .saveTo: self = .use(try Use(saving: value, names))
    case .openFrom: self = .use(try Use(opening: value, names))
    case .use: self = .use(try Use(feature: value, names))
    case .readContacts: self = .use(try Use(contacts: value, names))
    case .copy: self = .copy(try Copy(value, names))
    case .paste: self = .paste(try Paste(value, names))
    case .openURL: self = .openURL(try OpenURL(value, names))
    case .keychainAdd: self = .keychain(try Keychain(adding: value, names))
    case .keychainQuery: self = .keychain(try Keychain(.query, value, names))
    case .keychainDelete: self = .keychain(try Keychain(.delete, value, names))
    case .writeFile, .appendFile, .readFile, .fileInfo, .protectFile, .moveFile, .removeFile,
      .protectData, .unprotectData:
      self = .file(try File(key, value, names))
    case .wipe: self = .wipe(try AccountChange(value, "a wipe", names))
    case .configure: self = .configure(try Configuration(value, names))
    case .assignConfiguration:
      self = .assignConfiguration(try ConfigurationAssignment(value, names))
    case .configuration: self = .configuration(try ConfigurationLookup(value, names))
    case .assign: self = .assign(try Assignment(value, names))
    case .rename: self = .rename(try Renaming(value, names))
    case .restart: self = try Action.restart(value)
    case .askApp: self = .delegate(try DelegateCall(value, names))
    case .register: self = .enroll(try Enrollment(value, names, isLogin: false))
    case .login: self = .enroll(try Enrollment(value, names, isLogin: true))
    case .unenroll: self = .unenroll(try Unenrollment(value, names))
    case .remediate: self = .remediate(try Remediation(value, names))
    case .acquireToken: self = .acquireToken(try Token(value, names))
    case .checkIn: self = .checkIn(try AccountChange(value, "a check-in", names))
    case .enrollmentState:
      self = .enrollmentState(try AccountChange(value, "a look at an enrollment", names))
    case .service: self = .service(try ServiceChange(value, names))
    case .conditionalAccess:
      self = .conditionalAccess(try ConditionalAccessTargeting(value, names))
    case .residue: self = .residue(try Residue(value, names))
    case .declarations: self = try Action.declarations(value)
    case .managedApp: self = .managedApp(try ManagedApp(value, names))
    case .callExtension: self = .extensionCall(try ExtensionCall(value, names))
    case .administratorEvents: self = try Action.administratorEvents(value)
    case .served: self = .served(try names.server(value))
    case .unlock: self = .unlock(try Unlock(value, names))
    case .device: self = .device(try ConditionChange(value))
    case .accountStatus: self = .account(try AccountStatus(value, names))
    case .wait: self = .wait(try Wait(value, names))
    case .advance: self = .advance(seconds: try Action.seconds(value))
    case .concurrently: self = .concurrently(try Action.steps(value, names))
    case .repeat, .expect, .as, .window: preconditionFailure("`\(key)` is no action")
    }
  }

  static func seconds(_ value: YAMLValue) throws(Mistake) -> Int {
    let text = try value.text()
    // The clock stays within the years that timestamps can express.
    guard let seconds = ISODuration.seconds(text), seconds > 0,
      seconds <= Timestamp.range.upperBound
    else {
      throw value.mistake(
        .invalidValue,
        "`advance` must be a duration in weeks, days, hours, minutes or seconds, such as `PT1H`, "
          + "found `\(text)`")
    }
    return seconds
  }

  private static func steps(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [Step] {
    let steps = try Step.readAll(value, names)
    for step in steps {
      if case .concurrently = step.action {
        throw Mistake(
          .invalidValue, at: step.position, "`concurrently` cannot hold another `concurrently`")
      }
      guard step.count == 1 else {
        throw Mistake(
          .invalidValue, at: step.position, "a step within `concurrently` cannot have `repeat`")
      }
    }
    return steps
  }
}

extension Action.Lifecycle {
  fileprivate init(
    _ change: LifecycleChange, _ value: YAMLValue, _ names: Names
  ) throws(Mistake) {
    let guests = try names.guests(value)
    if change == .launch || change == .relaunch {
      for guest in guests {
        // A tunnel alone is up without working for anybody.
        guard let app = names.index.app(ofGuest: guest), let kind = app.extensionKind,
          kind != .packetTunnel
        else { continue }
        throw value.mistake(
          .invalidValue,
          "`\(app.name)` is an extension; it starts when something is shared with it")
      }
    }
    self.init(change: change, guests: guests)
  }
}

extension Action.AccountChange {
  enum Key: String, CaseIterable {
    case app, account
  }

  fileprivate init(_ value: YAMLValue, _ what: String, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, what)
    self.init(
      guest: try names.guest(fields.required(.app)),
      account: try names.account(fields.required(.account)))
  }
}

extension Action.IdentitySwitch {
  enum Key: String, CaseIterable {
    case app, to, window, process
  }

  fileprivate init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an identity switch")
    try fields.refuse(.process, beside: .window)
    let targets = try fields.required(.to).oneOrMore()
    guard let first = targets.first else {
      throw value.mistake(.missingKey, "`to` names no identity")
    }
    self.init(
      guest: try names.guest(fields.required(.app)), identity: try names.identity(first),
      window: try fields[.window]?.text() ?? "",
      isOfProcess: try fields[.process]?.bool() ?? false)
    for target in targets.dropFirst() { others.append(try names.account(target)) }
  }
}

extension Action.OpenURL {
  enum Key: String, CaseIterable {
    case from, url, knownManagedScheme
  }

  fileprivate init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "opening a URL")
    let url = try fields.required(.url)
    let text = try url.text()
    guard let colon = text.firstIndex(of: ":"), Name.isScheme(String(text[..<colon])) else {
      throw url.mistake(
        .invalidValue, "`url` must begin with a scheme and a colon, found `\(text)`")
    }
    self.init(
      from: try names.guest(fields.required(.from)), url: text,
      isKnownManagedScheme: try fields[.knownManagedScheme]?.bool() ?? false)
  }
}
