internal import Model
internal import SluiceKit
internal import Wire

// Functions for accounts, policies, configurations, and content that an administrator provides.

// MARK: - Accounts

extension ScriptFunction {
  @ScriptFunctions static var accounts: [ScriptFunction] {
    ScriptFunction(
      "accounts.signIn", .text("account"), result: .outcome, "signs an account in"
    ) { call, answer, account in
      call.application.enrollmentManager.signIn(account, completion: answer)
    }
    ScriptFunction(
      "accounts.signOut", .text("account"), result: .outcome, "signs an account out"
    ) { call, answer, account in
      call.application.enrollmentManager.deRegisterAndUnenrollAccountId(
        account, completion: answer)
    }
    enroll(
      "accounts.enroll", isLogin: false,
      "registers an account and enrolls it")
    enroll("accounts.login", isLogin: true, "signs an account in and enrolls it")
    ScriptFunction(
      "accounts.unenroll", .text("account"), .optional(.boolean("wipes")), result: .outcome,
      "unenrolls an account, and wipes its data if `wipes` is true"
    ) { call, answer, account, wipes in
      call.application.enrollmentManager.deRegisterAndUnenrollAccountId(
        account, withWipe: wipes ?? false, completion: answer)
    }
    ScriptFunction(
      "accounts.registered", result: .accounts, "the registered accounts"
    ) { call, answer in answer(call.application.enrollmentManager.registeredAccountIds()) }
    ScriptFunction(
      "accounts.enrolled", result: .accounts, "the enrolled accounts"
    ) { call, answer in answer(call.application.enrollmentManager.enrolledAccountIds()) }
    ScriptFunction(
      "compliance.remediate", .text("account"), .optional(.boolean("silent")),
      result: .outcome,
      "brings an account into compliance. The outcome states whether the call was accepted; "
        + "`app.complianceStatus` receives the result"
    ) { call, answer, account, isSilent in
      call.application.complianceManager.remediateCompliance(
        forAccountId: account, silent: isSilent ?? false, completion: answer)
    }
    ScriptFunction(
      "compliance.isInProgress", .text("account"), result: .boolean,
      "whether the account is being remediated"
    ) { call, answer, account in
      answer(call.application.complianceManager.remediationInProgress(forAccountId: account))
    }
    ScriptFunction(
      "tokens.acquire", .text("account"), .text("resource"), .optional(.texts("capabilities")),
      result: ScriptResult<Result<MSALResult, MSALError>>(
        "the token; or nil, MSAL's error code and, if protection is required, `<OID>.<tenant>`"
      ) { result in
        switch result {
        case .success(let token): [.text(token.accessToken)]
        case .failure(let error):
          [.nothing, .integer(Int64(error.code.rawValue)), .text(orNothing: error.homeAccountId)]
        }
      }, "acquires a token for a service"
    ) { call, answer, account, resource, capabilities in
      let configuration = MSALPublicClientApplicationConfig(
        clientId: call.application.bundleIdentifier,
        clientApplicationCapabilities: capabilities)
      MSALPublicClientApplication(configuration: configuration, in: call.application)
        .acquireToken(forAccountId: account, resource: resource, completion: answer)
    }
    ScriptFunction(
      "accounts.switchTo", .optional(.text("account")), .optional(.text("window")),
      result: .switchResult,
      "switches a window, by default the main window, to an account: `\"\"` is the unknown account, "
        + "nil unsets"
    ) { call, answer, account, window in
      call.application.policyManager.setUIPolicyAccountId(
        account, forWindow: window, completion: answer)
    }
    ScriptFunction(
      "accounts.setProcess", .optional(.text("account")), result: .switchResult,
      "switches the process to an account"
    ) { call, answer, account in
      call.application.policyManager.setProcessAccountId(account, completion: answer)
    }
    ScriptFunction(
      "accounts.current", .optional(.text("window")),
      result: .optional("an account") { .text($0) }, "the account of a window"
    ) { call, answer, window in
      answer(call.application.policyManager.getUIPolicyAccountId(forWindow: window))
    }
    ScriptFunction(
      "accounts.process", result: .optional("an account") { .text($0) },
      "the account of the process"
    ) { call, answer in answer(call.application.policyManager.getProcessAccountId()) }
    ScriptFunction(
      "accounts.isManaged", result: .boolean,
      "whether a policy applies to the account of the main window"
    ) { call, answer in answer(call.application.policyManager.isIdentityManaged) }
  }

  private static func enroll(
    _ name: String, isLogin: Bool, _ summary: String
  ) -> ScriptFunction {
    ScriptFunction(
      name, .optional(.text("account")), result: .outcome, summary
    ) { call, answer, account in
      call.application.enrollmentManager.enroll(
        Enroll(account: account, isLogin: isLogin), completion: answer)
    }
  }
}

extension ScriptResult<[String]> {
  fileprivate static var accounts: ScriptResult {
    list("a list of object ids, or UPNs of accounts that have none") { .text($0) }
  }
}

extension ScriptResult<IntuneMAMSwitchIdentityResult> {
  fileprivate static var switchResult: ScriptResult {
    value("`success`, `canceled`, `notAllowed` or `failed`") { .text("\($0)") }
  }
}

// MARK: - The configuration of the app

// The device has already delivered the configuration, so no request is sent.
extension ScriptFunction {
  @ScriptFunctions static var configuration: [ScriptFunction] {
    ScriptFunction(
      "configuration.string", .text("key"),
      .options(
        .account, .field(.optional(.choice("query", [IntuneMAMStringQueryType.any, .max, .min])))),
      result: .optional("the value") { .text($0) },
      "a string; `query` is `any` (the default), `min` or `max`"
    ) { call, answer, key, options in
      let (account, query) = options
      answer(
        call.configuration(of: account).stringValue(forKey: key, queryType: query ?? .any))
    }
    ScriptFunction(
      "configuration.number", .text("key"),
      .options(
        .account, .field(.optional(.choice("query", [IntuneMAMNumberQueryType.any, .max, .min])))),
      result: .optional("the value") { ScriptValue($0) },
      "a number; `query` is `any` (the default), `min` or `max`"
    ) { call, answer, key, options in
      let (account, query) = options
      answer(
        call.configuration(of: account).numberValue(forKey: key, queryType: query ?? .any))
    }
    ScriptFunction(
      "configuration.boolean", .text("key"),
      .options(
        .account, .field(.optional(.choice("query", [IntuneMAMBoolQueryType.and, .any, .or])))),
      result: .optional("the value", ScriptValue.boolean),
      "a boolean; `query` is `any` (the default), `or` or `and`"
    ) { call, answer, key, options in
      let (account, query) = options
      answer(call.configuration(of: account).boolValue(forKey: key, queryType: query ?? .any))
    }
    ScriptFunction(
      "configuration.strings", .text("key"), .options(.account),
      result: .list("a list of strings") { .text($0) }, "all strings of a key"
    ) { call, answer, key, account in
      answer(call.configuration(of: account).allStrings(forKey: key))
    }
    ScriptFunction(
      "configuration.numbers", .text("key"), .options(.account),
      result: .list("a list of numbers") { ScriptValue($0) }, "all numbers of a key"
    ) { call, answer, key, account in
      answer(call.configuration(of: account).allNumbers(forKey: key))
    }
    ScriptFunction(
      "configuration.booleans", .text("key"), .options(.account),
      result: .list("a list of booleans", ScriptValue.boolean), "all booleans of a key"
    ) { call, answer, key, account in
      answer(call.configuration(of: account).allBools(forKey: key))
    }
    ScriptFunction(
      "configuration.hasConflict", .text("key"), .options(.account), result: .boolean,
      "whether configurations with different values of the key are targeted"
    ) { call, answer, key, account in
      answer(call.configuration(of: account).hasConflict(key))
    }
    ScriptFunction(
      "configuration.fullData", .options(.account),
      result: .list("a list of tables") { (data: [String: ConfigurationValue]) in
        .record(data.mapValues(ScriptValue.init))
      }, "all configurations; the tenant's default has `__IsDefault`"
    ) { call, answer, account in answer(call.configuration(of: account).fullData) }
  }
}

extension ScriptField<String?> {
  fileprivate static var account: ScriptField { field(.optional(.text("account"))) }
}

extension ScriptCall {
  /// Returns the configuration of `account`. If `account` is nil, uses the account of the acting identity or, if there
  /// is none, the account of the UI policy.
  fileprivate func configuration(of account: String?) -> IntuneMAMAppConfig {
    application.appConfigManager.appConfig(
      forAccountId: account ?? identity.accountID
        ?? application.policyManager.getUIPolicyAccountId())
  }
}

// MARK: - Policies

// Queries transfer no data.
extension ScriptFunction {
  @ScriptFunctions static var policy: [ScriptFunction] {
    ScriptFunction(
      "policy.isSaveToAllowed", .choice("location", StorageLocation.self),
      .optional(.text("account")), result: .boolean,
      "whether data may be saved to a location of an account"
    ) { call, answer, location, account in
      call.application.policy.isSaveToAllowed(
        for: location, accountId: account, completion: answer)
    }
    ScriptFunction(
      "policy.isOpenFromAllowed", .choice("location", StorageLocation.self),
      .optional(.text("account")), result: .boolean,
      "whether data may be opened from a location of an account"
    ) { call, answer, location, account in
      call.application.policy.isOpenFromAllowed(
        for: location, accountId: account, completion: answer)
    }
    ScriptFunction(
      "policy.getSaveToLocations", .optional(.text("account")), result: .locations,
      "`policy.isSaveToAllowed` of all locations"
    ) { call, answer, account in
      call.application.policy.getSaveToLocations(forAccountId: account, completion: answer)
    }
    ScriptFunction(
      "policy.getOpenFromLocations", .optional(.text("account")), result: .locations,
      "`policy.isOpenFromAllowed` of all locations"
    ) { call, answer, account in
      call.application.policy.getOpenFromLocations(forAccountId: account, completion: answer)
    }
    ScriptFunction(
      "policy.isURLAllowed", .text("url"), result: .boolean, "whether a URL may be opened"
    ) { call, answer, url in call.application.policy.isURLAllowed(url, completion: answer) }
    ScriptFunction(
      "policy.isUniversalLinkAllowed", .text("url"), result: .boolean,
      "whether a universal link may be opened in its app"
    ) { call, answer, url in
      call.application.policy.isUniversalLinkAllowed(url, completion: answer)
    }
    ScriptFunction(
      "policy.canReceive", .item("item"), result: .boolean, "whether an item may be received"
    ) { call, answer, item in
      call.ask(.canReceive(item)) { answer($0.verdict != .blocked) }
    }
    ScriptFunction(
      "policy.isDocumentPickerAllowed", .choice("mode", DocumentPickerMode.allCases),
      result: .boolean,
      "whether the document picker may be used in the mode `import`, `open`, `exportToService` or "
        + "`moveToService`"
    ) { call, answer, mode in
      call.application.policy.isDocumentPickerAllowed(mode, completion: answer)
    }
    ScriptFunction(
      "policy.isAppSharingAllowed", result: .boolean,
      "whether data may be shared with the app's Safari web extension"
    ) { call, answer in call.application.policy.isAppSharingAllowed(completion: answer) }
    ScriptFunction(
      "policy.isPrintingAllowed", result: .boolean, "whether data may be printed"
    ) { call, answer in call.application.policy.isPrintingAllowed(completion: answer) }
    ScriptFunction(
      "policy.isContactSyncAllowed", result: .boolean, "whether contacts may be synced"
    ) { call, answer in call.application.policy.isContactSyncAllowed(completion: answer) }
    ScriptFunction(
      "policy.isWidgetContentSyncAllowed", result: .boolean, "whether widgets may show data"
    ) { call, answer in call.application.policy.isWidgetContentSyncAllowed(completion: answer) }
    ScriptFunction(
      "policy.isSpotlightIndexingAllowed", result: .boolean, "whether Spotlight may index data"
    ) { call, answer in call.application.policy.isSpotlightIndexingAllowed(completion: answer) }
    ScriptFunction(
      "policy.areSiriIntentsAllowed", result: .boolean, "whether Siri intents may use data"
    ) { call, answer in call.application.policy.areSiriIntentsAllowed(completion: answer) }
    ScriptFunction(
      "policy.areAppIntentsAllowed", result: .boolean, "whether App Intents may use data"
    ) { call, answer in call.application.policy.areAppIntentsAllowed(completion: answer) }
    ScriptFunction(
      "policy.isScreenCaptureAllowed", result: .boolean, "whether the screen may be captured"
    ) { call, answer in call.application.policy.isScreenCaptureAllowed(completion: answer) }
    ScriptFunction(
      "policy.isManagedBrowserRequired", result: .boolean,
      "whether web links must be opened in the managed browser"
    ) { call, answer in call.application.policy.isManagedBrowserRequired(completion: answer) }
    ScriptFunction(
      "policy.isFileEncryptionRequired", result: .boolean,
      "whether the app must encrypt managed files"
    ) { call, answer in call.application.policy.isFileEncryptionRequired(completion: answer) }
    ScriptFunction(
      "policy.notificationPolicy",
      result: .value("`allow`, `blockOrgData` or `block`") {
        (policy: IntuneMAMNotificationPolicy) in .text("\(policy)")
      }, "what notifications may show"
    ) { call, answer in call.application.policy.notificationPolicy(completion: answer) }
  }
}

extension ScriptResult<[StorageLocation: Bool]> {
  fileprivate static var locations: ScriptResult {
    value("a table of booleans by location") { answers in
      let named = answers.map { ($0.key.rawValue, ScriptValue.boolean($0.value)) }
      return .record(Dictionary(named) { $1 })
    }
  }
}

// MARK: - Values from the administrator

extension ScriptFunction {
  @ScriptFunctions static var managed: [ScriptFunction] {
    ScriptFunction(
      "managed.configuration", result: .propertyList, "the configuration", sender: .app
    ) { call, answer in call.application.managedApp.configuration(completion: answer) }
    ScriptFunction(
      "managed.legacyConfiguration", result: .propertyList, "the legacy configuration",
      sender: .app
    ) { call, answer in call.application.managedApp.legacyConfiguration(completion: answer) }
    identifiers("managed.passwords", of: .password, "the passwords")
    identifiers("managed.certificates", of: .certificate, "the certificates")
    identifiers("managed.identities", of: .identity, "the identities")
    ScriptFunction(
      "managed.password", .text("id"), result: .secret("the password") { .text($0) },
      "a password", sender: .app
    ) { call, answer, identifier in
      call.application.managedApp.password(withIdentifier: identifier, completion: answer)
    }
    ScriptFunction(
      "managed.certificate", .text("id"), result: .secret("DER", ScriptValue.bytes),
      "a certificate", sender: .app
    ) { call, answer, identifier in
      call.application.managedApp.certificate(withIdentifier: identifier, completion: answer)
    }
    ScriptFunction(
      "managed.identity", .text("id"),
      result: .secret("a list of certificates in DER") { (chain: [[UInt8]]) in
        .list(chain.map(ScriptValue.bytes))
      }, "the certificate chain of an identity, its own certificate first", sender: .app
    ) { call, answer, identifier in
      call.application.managedApp.identity(withIdentifier: identifier, completion: answer)
    }
    ScriptFunction(
      "managed.sign", .text("id"), .bytes("data"),
      .optional(.choice("algorithm", SignatureAlgorithm.allCases)),
      result: .secret("the signature", ScriptValue.bytes),
      "signs data with the key of an identity; the default algorithm is `ecdsaSignatureMessageX962SHA256`",
      sender: .app
    ) { call, answer, identifier, data, algorithm in
      call.application.managedApp.sign(
        data, withIdentity: identifier, algorithm ?? .ecdsaSignatureMessageX962SHA256,
        completion: answer)
    }
    ScriptFunction(
      "managed.report", .optional(.integer("code")), .reportedMessage, result: .nothing,
      "reports to the administrator why the app rejects its configuration, or, without arguments, "
        + "that the app accepts it", sender: .app
    ) { call, answer, code, message in
      if let code {
        call.application.managedApp.reportDecodingError(code: code, message: message)
      } else {
        call.application.managedApp.reportDecoded()
      }
      answer(())
    }
  }

  private static func identifiers(
    _ name: String, of kind: ManagedSecret, _ summary: String
  ) -> ScriptFunction {
    ScriptFunction(
      name, result: .list("a list of identifiers") { .text($0) }, summary, sender: .app
    ) { call, answer in call.application.managedApp.identifiers(of: kind, completion: answer) }
  }
}

extension ScriptResult<[UInt8]?> {
  fileprivate static var propertyList: ScriptResult {
    optional("the bytes of a property list", ScriptValue.bytes)
  }
}

extension ScriptParameter<String> {
  /// The message parameter of functions whose first argument is a code. If the code is `nil`, the message is ignored.
  fileprivate static var reportedMessage: ScriptParameter {
    ScriptParameter("message", "string", isOptional: true) { argument throws(ScriptMisuse) in
      guard let code = argument.call.arguments.first, code != .nothing else { return "" }
      return try argument.text()
    }
  }
}

// MARK: - The device

extension ScriptFunction {
  @ScriptFunctions static var device: [ScriptFunction] {
    ScriptFunction(
      "device.pause", .integer("milliseconds"), result: .nothing, "waits, in real time",
      waitsFor: .otherGuests, sender: .app
    ) { call, answer, milliseconds throws(ScriptMisuse) in
      guard (0...3_600_000).contains(milliseconds) else {
        throw ScriptMisuse("`device.pause` takes 0 to 3600000 milliseconds")
      }
      call.application.after(milliseconds: UInt64(milliseconds)) { answer(()) }
    }
    ScriptFunction(
      "device.request", .text("name"), .optional(.messageFields("fields")), result: .outcome,
      "sends a request of the protocol. `proto/sluice.proto` lists the names, such as `open_url`, and "
        + "their fields", waitsFor: .otherGuests
    ) { call, answer, name, fields throws(ScriptMisuse) in
      let body: GuestMessage.Body
      do throws(FieldError) {
        body = try GuestMessage.Body(request: name, fields ?? [:])
      } catch {
        throw ScriptMisuse("bad request of `device.request` (\(error.description))")
      }
      call.ask(body, answer)
    }
  }
}

extension ScriptParameter<[String: FieldValue]> {
  fileprivate static func messageFields(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "table") { argument throws(ScriptMisuse) in
      guard case .part(let fields)? = FieldValue(argument.value) else { throw argument.misuse }
      return fields
    }
  }
}

extension FieldValue {
  /// Converts a script's value to the value of a field. Returns nil for `nothing`, for a table with both a list and
  /// named fields, and for a table that contains one of these.
  fileprivate init?(_ value: ScriptValue) {
    switch value {
    case .nothing: return nil
    case .boolean(let flag): self = .flag(flag)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .bytes(let bytes):
      self = String(validating: bytes, as: UTF8.self).map(FieldValue.text) ?? .bytes(bytes)
    case .table(let list, let fields) where list.isEmpty:
      let values = fields.compactMapValues { FieldValue($0) }
      guard values.count == fields.count else { return nil }
      self = .part(values)
    case .table(let list, let fields):
      let values = list.compactMap { FieldValue($0) }
      guard fields.isEmpty, values.count == list.count else { return nil }
      self = .list(values)
    }
  }
}
