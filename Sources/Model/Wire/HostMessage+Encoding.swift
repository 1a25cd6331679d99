internal import CMessages
internal import CProtobufC
internal import Model

extension FrameBuffer {
  /// Adds `message` as a frame.
  public mutating func append(_ message: HostMessage, using arena: Arena) {
    let raw = arena.hostMessage(message)
    let size = sluice__host_message__get_packed_size(raw)
    appendFrame(size) { memory in
      _ = sluice__host_message__pack(raw, memory.assumingMemoryBound(to: UInt8.self))
    }
    arena.reset()
  }
}

extension Arena {
  func hostMessage(_ message: HostMessage) -> UnsafeMutablePointer<Sluice__HostMessage> {
    self.message(sluice__host_message__init) { raw in
      raw.request = message.request
      fill(&raw, message.body)
    }
  }

  private func fill(_ raw: inout Sluice__HostMessage, _ body: HostMessage.Body) {
    switch body {
    case .welcome(let welcome):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_WELCOME
      raw.welcome = self.welcome(welcome)
    case .rejected(let reason):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_REJECTED
      raw.rejected = message(sluice__rejected__init) { $0.reason = string(reason) }
    case .outcome(let outcome):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_OUTCOME
      raw.outcome = self.outcome(outcome)
    case .delivery(let delivery):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_DELIVERY
      raw.delivery = self.delivery(delivery)
    case .openedURL(let sequence, let url, let sender, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_OPENED_URL
      raw.opened_url = message(sluice__opened_url__init) {
        $0.sequence = sequence
        $0.url = string(url)
        $0.sender = string(sender)
        $0.account = string(account)
      }
    case .extensionRequest(let request):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_EXTENSION_REQUEST
      raw.extension_request = message(sluice__extension_request__init) {
        $0.items = offeredItems(request.items)
        $0.n_items = request.items.count
        $0.sender = string(request.sender)
        $0.open_in = request.openIn.map { place in
          message(sluice__open_in_place__init) {
            $0.group = string(place.group)
            $0.scheme = string(place.scheme)
            $0.mark = string(place.mark)
          }
        }
      }
    case .loadProgress(let fraction):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_LOAD_PROGRESS
      raw.load_progress = message(sluice__load_progress__init) { $0.fraction = fraction }
    case .provideRepresentation(let ask, let share, let reference):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PROVIDE_REPRESENTATION
      raw.provide_representation = message(sluice__provide_representation__init) {
        $0.ask = ask
        $0.share = share
        $0.item = UInt32(clamping: reference.item)
        $0.attachment = UInt32(clamping: reference.attachment)
        $0.type = string(reference.type)
      }
    case .cancelProvide(let ask):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_CANCEL_PROVIDE
      raw.cancel_provide = message(sluice__cancel_provide__init) { $0.ask = ask }
    case .provideItem(let ask, let requester):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PROVIDE_ITEM
      raw.provide_item = message(sluice__provide_item__init) {
        $0.ask = ask
        $0.requester = string(requester)
      }
    case .identitySwitchRequired(let ask, let account, let reason):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_IDENTITY_SWITCH_REQUIRED
      raw.identity_switch_required = message(sluice__identity_switch_required__init) {
        $0.ask = ask
        $0.account = string(account)
        $0.reason = string(reason)
      }
    case .delegateCall(let ask, let call, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_DELEGATE_CALL
      raw.delegate_call = message(sluice__delegate_call__init) {
        $0.ask = ask
        $0.call = Sluice__DelegateCall__Call(rawValue: call.rawValue)
        $0.account = string(account)
      }
    case .enrollmentNotice(let notice):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_ENROLLMENT_NOTICE
      raw.enrollment_notice = message(sluice__enrollment_notice__init) {
        $0.request = string(notice.request)
        $0.account = string(notice.account)
        $0.object_id = string(notice.objectID)
        $0.status = Int32(clamping: notice.status)
      }
    case .complianceNotice(let notice):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_COMPLIANCE_NOTICE
      raw.compliance_notice = message(sluice__compliance_notice__init) {
        $0.account = string(notice.account)
        $0.status = Int32(clamping: notice.status)
        $0.title = string(notice.title)
        $0.message = string(notice.message)
      }
    case .enrolledAccounts(let accounts):
      let names = accounts.names.map { name in
        message(sluice__account_names__init) {
          $0.upn = string(name.upn)
          $0.object_id = string(name.objectID)
        }
      }
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_ENROLLED_ACCOUNTS
      raw.enrolled_accounts = message(sluice__enrolled_accounts__init) {
        $0.registered = strings(accounts.registered)
        $0.n_registered = accounts.registered.count
        $0.enrolled = strings(accounts.enrolled)
        $0.n_enrolled = accounts.enrolled.count
        $0.remediating = strings(accounts.remediating)
        $0.n_remediating = accounts.remediating.count
        $0.managed = strings(accounts.managed)
        $0.n_managed = accounts.managed.count
        $0.pin_required = strings(accounts.pinRequired)
        $0.n_pin_required = accounts.pinRequired.count
        $0.allowed_upn = string(accounts.allowedUPN)
        $0.allowed_object_id = string(accounts.allowedObjectID)
        $0.mdm_enrolled = string(accounts.mdmEnrolled)
        $0.names = pointers(names)
        $0.n_names = names.count
      }
    case .identityChanged(let change):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_IDENTITY_CHANGED
      raw.identity_changed = identityChanged(change)
    case .notice(let name, let account):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_NOTICE
      raw.notice = message(sluice__notice__init) {
        $0.name = string(name)
        $0.account = string(account)
      }
    case .appConfiguration(let news):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_APP_CONFIGURATION
      raw.app_configuration = configuration(news)
    case .perform(let ask, let instruction, let behaviour):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_PERFORM
      raw.perform = perform(ask, instruction, behaviour)
    case .clockAdvanced(let time):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_CLOCK_ADVANCED
      raw.clock_advanced = message(sluice__clock_advanced__init) { $0.time = Int64(time) }
    case .managedAppChanged(let aspect):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_MANAGED_APP_CHANGED
      raw.managed_app_changed = message(sluice__managed_app_changed__init) {
        $0.aspect = Sluice__ManagedAppChanged__Aspect(rawValue: aspect.rawValue)
      }
    case .sharedMemory(let use, let count):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_SHARED_MEMORY
      raw.shared_memory = message(sluice__shared_memory__init) {
        $0.use = Sluice__SharedMemory__Use(rawValue: use.rawValue)
        $0.size = UInt64(count)
      }
    case .release(let offset):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_RELEASE
      raw.release = message(sluice__release__init) { $0.offset = UInt64(offset) }
    case .stop:
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_STOP
      raw.stop = message(sluice__stop__init)
    }
  }

  private func perform(
    _ ask: UInt64, _ instruction: Instruction, _ behaviour: Behaviour
  ) -> UnsafeMutablePointer<Sluice__Perform> {
    let behaviour = self.behaviour(behaviour)
    return message(sluice__perform__init) {
      $0.ask = ask
      $0.behaviour = behaviour
      switch instruction {
      case .nothing: break
      case .ask(let message, let content):
        $0.message = guestMessage(message)
        $0.content = content.raw
      case .work(let work, let task, let content):
        $0.file = fileWork(work)
        $0.content = content.raw
        $0.task = task.map(self.task)
      case .look(let question): $0.configuration = self.question(question)
      case .act(let act): $0.act = bytes(act)
      }
    }
  }

  private func welcome(_ welcome: Welcome) -> UnsafeMutablePointer<Sluice__Welcome> {
    let configurations = welcome.configurations.map(configuration)
    return message(sluice__welcome__init) {
      $0.configurations = pointers(configurations)
      $0.n_configurations = configurations.count
      $0.transport = welcome.transport
      $0.application = welcome.application
      $0.guest = string(welcome.guest)
      $0.app = string(welcome.app)
      $0.device = string(welcome.device)
      $0.frame_limit = UInt32(clamping: welcome.frameLimit)
      $0.seed = welcome.seed
      $0.time = Int64(welcome.time)
      $0.opens_content = welcome.opensContent ? 1 : 0
      $0.managed_configuration = bytes(welcome.managedConfiguration)
    }
  }

  func outcome(_ outcome: RequestOutcome) -> UnsafeMutablePointer<Sluice__Outcome> {
    let reasons = outcome.reasons.map { reason in
      message(sluice__reason__init) { (raw: inout Sluice__Reason) in
        raw.rule = string(reason.rule)
        raw.side = string(reason.side)
        raw.setting = string(reason.setting)
      }
    }
    return message(sluice__outcome__init) {
      $0.verdict = outcome.verdict.raw
      $0.end = outcome.end.raw
      $0.reasons = pointers(reasons)
      $0.n_reasons = reasons.count
      $0.status = Int32(clamping: outcome.status)
      $0.items = items(outcome.items)
      $0.n_items = outcome.items.count
      $0.file = outcome.file.map(grant)
      $0.home_account = string(outcome.homeAccount ?? "")
    }
  }

  private func delivery(_ delivery: Delivery) -> UnsafeMutablePointer<Sluice__Delivery> {
    message(sluice__delivery__init) {
      $0.sequence = delivery.sequence
      $0.item = item(delivery.item)
      $0.sender = string(delivery.sender)
      $0.encrypted = delivery.isEncrypted ? 1 : 0
      $0.as_unmanaged = delivery.isForUnmanaged ? 1 : 0
    }
  }

  private func behaviour(_ behaviour: Behaviour) -> UnsafeMutablePointer<Sluice__Behaviour> {
    message(sluice__behaviour__init) {
      $0.provides = behaviour.provides.map(item)
      $0.identity_switch = answer(behaviour.acceptsIdentitySwitch)
      $0.wipe = Sluice__Behaviour__Wipe(rawValue: behaviour.wipe?.rawValue ?? 0)
      $0.add_account = answer(behaviour.addsAccounts)
      $0.block_account = answer(behaviour.blocksAccounts)
      $0.hands_back = behaviour.handsBack.raw
    }
  }

  private func answer(_ isSuccess: Bool?) -> Sluice__Behaviour__Answer {
    switch isSuccess {
    case nil: SLUICE__BEHAVIOUR__ANSWER__ANSWER_UNCHANGED
    case true?: SLUICE__BEHAVIOUR__ANSWER__ANSWER_SUCCESS
    case false?: SLUICE__BEHAVIOUR__ANSWER__ANSWER_FAILED
    }
  }
}

extension Outcome {
  var raw: Sluice__Verdict {
    switch self {
    case .blocked: SLUICE__VERDICT__VERDICT_BLOCKED
    case .encrypted: SLUICE__VERDICT__VERDICT_ENCRYPTED
    case .allowed: SLUICE__VERDICT__VERDICT_ALLOWED
    }
  }

  /// Reads a verdict; an unknown one is blocked.
  init(_ raw: Sluice__Verdict) {
    switch raw {
    case SLUICE__VERDICT__VERDICT_ALLOWED: self = .allowed
    case SLUICE__VERDICT__VERDICT_ENCRYPTED: self = .encrypted
    default: self = .blocked  // open: a C enumeration; blocked, or an unknown number
    }
  }
}

extension RequestEnd {
  var raw: Sluice__End {
    switch self {
    case .delivered: SLUICE__END__END_DELIVERED
    case .deliveredEncrypted: SLUICE__END__END_DELIVERED_ENCRYPTED
    case .refused: SLUICE__END__END_REFUSED
    case .undeliverable: SLUICE__END__END_UNDELIVERABLE
    case .failed: SLUICE__END__END_FAILED
    }
  }

  init(_ raw: Sluice__End) {
    switch raw {
    case SLUICE__END__END_DELIVERED: self = .delivered
    case SLUICE__END__END_DELIVERED_ENCRYPTED: self = .deliveredEncrypted
    case SLUICE__END__END_REFUSED: self = .refused
    case SLUICE__END__END_UNDELIVERABLE: self = .undeliverable
    default: self = .failed  // open: a C enumeration; failed, or an unknown number
    }
  }
}

extension InstructedContent {
  fileprivate var raw: Sluice__Perform__Content { Sluice__Perform__Content(rawValue: rawValue) }
}
