internal import CMessages
internal import CProtobufC

extension Arena {
  func fillEnrollment(_ raw: inout Sluice__GuestMessage, _ body: GuestMessage.Body) {
    switch body {
    case .enroll(let enroll):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_ENROLL
      raw.enroll = message(sluice__enroll__init) {
        $0.account = string(enroll.account ?? "")
        $0.no_account = enroll.account == nil ? 1 : 0
        $0.login = enroll.isLogin ? 1 : 0
      }
    case .unenroll(let account, let wipes):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_UNENROLL
      raw.unenroll = message(sluice__unenroll__init) {
        $0.account = string(account)
        $0.wipe = wipes ? 1 : 0
      }
    case .acquireToken(let request):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_ACQUIRE_TOKEN
      raw.acquire_token = message(sluice__acquire_token__init) {
        $0.account = string(request.account)
        $0.resource = string(request.resource)
        $0.capabilities = strings(request.capabilities)
        $0.n_capabilities = request.capabilities.count
      }
    case .remediate(let account, let isSilent):
      raw.body_case = SLUICE__GUEST_MESSAGE__BODY_REMEDIATE
      raw.remediate = message(sluice__remediate__init) {
        $0.account = string(account)
        $0.silent = isSilent ? 1 : 0
      }
    default: preconditionFailure("not about enrollment")
    }
  }

  func fillEnrollment(_ raw: inout Sluice__HostMessage, _ body: HostMessage.Body) {
    switch body {
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
    default: preconditionFailure("not about enrollment")
    }
  }
}

extension GuestMessage.Body {
  static func aboutEnrollment(_ raw: Sluice__GuestMessage) -> Self? {
    switch raw.body_case {
    case SLUICE__GUEST_MESSAGE__BODY_ENROLL:
      let body = raw.enroll.pointee
      return .enroll(
        Enroll(
          account: body.no_account != 0 ? nil : cString(body.account), isLogin: body.login != 0))
    case SLUICE__GUEST_MESSAGE__BODY_UNENROLL:
      let body = raw.unenroll.pointee
      return .unenroll(account: cString(body.account), wipes: body.wipe != 0)
    case SLUICE__GUEST_MESSAGE__BODY_ACQUIRE_TOKEN:
      let body = raw.acquire_token.pointee
      return .acquireToken(
        AcquireToken(
          account: cString(body.account), resource: cString(body.resource),
          capabilities: (0..<body.n_capabilities).map { cString(body.capabilities[$0]) }))
    case SLUICE__GUEST_MESSAGE__BODY_REMEDIATE:
      let body = raw.remediate.pointee
      return .remediate(account: cString(body.account), isSilent: body.silent != 0)
    default: return nil
    }
  }
}

extension HostMessage.Body {
  static func aboutEnrollment(_ raw: Sluice__HostMessage) -> Self? {
    switch raw.body_case {
    case SLUICE__HOST_MESSAGE__BODY_ENROLLMENT_NOTICE:
      let body = raw.enrollment_notice.pointee
      return .enrollmentNotice(
        EnrollmentNotice(
          request: cString(body.request), account: cString(body.account),
          objectID: cString(body.object_id), status: Int(body.status)))
    case SLUICE__HOST_MESSAGE__BODY_COMPLIANCE_NOTICE:
      let body = raw.compliance_notice.pointee
      return .complianceNotice(
        ComplianceNotice(
          account: cString(body.account), status: Int(body.status), title: cString(body.title),
          message: cString(body.message)))
    case SLUICE__HOST_MESSAGE__BODY_ENROLLED_ACCOUNTS:
      let body = raw.enrolled_accounts.pointee
      return .enrolledAccounts(
        EnrolledAccounts(
          registered: (0..<body.n_registered).map { cString(body.registered[$0]) },
          enrolled: (0..<body.n_enrolled).map { cString(body.enrolled[$0]) },
          remediating: (0..<body.n_remediating).map { cString(body.remediating[$0]) },
          managed: (0..<body.n_managed).map { cString(body.managed[$0]) },
          pinRequired: (0..<body.n_pin_required).map { cString(body.pin_required[$0]) },
          allowedUPN: cString(body.allowed_upn), allowedObjectID: cString(body.allowed_object_id),
          mdmEnrolled: cString(body.mdm_enrolled),
          names: (0..<body.n_names).compactMap { body.names[$0] }.map {
            AccountNames(upn: cString($0.pointee.upn), objectID: cString($0.pointee.object_id))
          }))
    default: return nil
    }
  }
}
