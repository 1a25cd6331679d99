internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Output
internal import Policy
internal import Tenants

/// The users of a tenant whom a policy reaches, on one kind of device.
struct PolicyReach: Sendable {
  /// Users who get the policy in the same apps, together with the same other policies.
  struct Group: Sendable {
    var classes: [Class]
    /// Lowercase bundle ids. `*` and `com.microsoft.*` stand for apps that no document names.
    var apps: [String]
    /// The names of the other policies that apply in these apps; the strictest values win.
    var others: [String]
  }

  /// Users who get the policy under the same conditions.
  struct Class: Sendable {
    var recipients: PolicyRecipients
    /// Nil if the export contains no users.
    var names: Names?
  }

  /// The names of users, not all of them if there are many.
  struct Names: Sendable {
    /// The maximum number of ``shown`` names.
    static let maximum = 100

    /// The number of users.
    var count: Int
    var shown: [String]

    /// - Parameters:
    ///   - users: The users' indices in the tenant's directory.
    ///   - audience: An audience of the tenant.
    init(_ users: [Int], like audience: PolicyAudience, in tenant: Tenant) {
      count = users.count
      var named = audience
      named.members = users.prefix(Self.maximum).flatMap { user in
        audience.members.prefix(1).map { member in
          var single = member
          (single.users, single.conditions) = (UserClass(users: [user]), [])
          return single
        }
      }
      shown = tenant.recipients(named).compactMap(\.like)
    }

    func writeMembers(to writer: inout JSONWriter) {
      writer.member("count", count)
      writer.strings("names", shown)
    }
  }

  /// The device in words.
  var device: String
  var groups: [Group] = []
  /// The users who never get the policy, under any values of the unknown facts; nil if the export contains no users.
  var unreached: Names?
  /// The reasons why the policy does not reach users, for the largest classes of them in words.
  var reasons: [(users: String, lines: [String])] = []
  /// The facts on which the policies of some users depend, if these are too many to list all cases.
  var unknownFacts: [String] = []

  /// Returns the users whom a policy of a tenant reaches, on unmanaged and on managed devices.
  static func all(of policy: Int, in tenant: Tenant) -> [PolicyReach] {
    TenantDevice.kinds.map { device in
      var reach = PolicyReach(device: device.text)
      var reached: Set<Int> = []
      var users: Set<Int> = []
      let audiences = tenant.audiences(on: device)
      for audience in audiences {
        let members = audience.members.flatMap { $0.users?.users ?? [] }
        users.formUnion(members)
        let parts = audience.policies?.parts.filter { $0.policies.contains(policy) }
        if parts == nil { reach.unknownFacts += audience.unknownFacts }
        if parts?.isEmpty != true { reached.formUnion(members) }
        for part in parts ?? [] {
          reach.groups.append(
            Group(
              classes: zip(tenant.recipients(audience), audience.members).map {
                Class(
                  recipients: $0,
                  names: $1.users.map { Names($0.users, like: audience, in: tenant) })
              },
              apps: part.apps,
              others: part.policies.filter { $0 != policy }.map {
                tenant.policies[$0].displayName
              }))
        }
      }
      if let audience = audiences.first, !users.isEmpty {
        reach.unreached = Names(users.subtracting(reached).sorted(), like: audience, in: tenant)
        reach.reasons = tenant.reach(ofPolicy: policy, on: device).missed.prefix(20).map {
          (tenant.name($0.users), $0.reasons)
        }
      }
      return reach
    }
  }
}

extension Workbench {
  /// Returns the classes of users whom a policy reaches; nil if the policy is not of a tenant. The drafts do
  /// not change assignments, so the users are always those of the export.
  private func reach(_ index: PolicyIndex) -> [PolicyReach]? {
    guard let tenant else { return nil }
    let document = original(index)
    // Saving moves positions, so the file and the order in it tell policies apart.
    let inFile = tenant.policies.indices.filter { tenant.policies[$0].file == document.file }
    let alike = inFile.filter { tenant.policies[$0].displayName == document.displayName }
    let number = inFile.dropFirst(index.policy).first.flatMap { alike.contains($0) ? $0 : nil }
    return (number ?? alike.first).map { number in
      reaches.value(for: number) { PolicyReach.all(of: number, in: tenant) }
    }
  }

  func writeReach(of index: PolicyIndex, to writer: inout JSONWriter) {
    writer.objects("reach", of: reach(index) ?? []) { writer, reach in
      writer.member("device", reach.device)
      writer.objects("groups", of: reach.groups) { writer, group in
        writer.objects("classes", of: group.classes) { writer, users in
          writer.member("text", users.recipients.text)
          users.names?.writeMembers(to: &writer)
        }
        writer.objects("apps", of: group.apps) { writer, app in
          writer.member("name", AppName.of(app) ?? app)
          writer.member("bundleID", app)
        }
        writer.strings("others", group.others)
      }
      if let unreached = reach.unreached {
        writer.object("unreached") { writer in
          unreached.writeMembers(to: &writer)
          writer.objects("reasons", of: reach.reasons) { writer, reason in
            writer.member("users", reason.users)
            writer.strings("lines", reason.lines)
          }
        }
      }
      writer.strings("unknown", reach.unknownFacts)
    }
  }
}
