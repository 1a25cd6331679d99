internal import Analysis
internal import Encodings
internal import GraphDocuments
internal import Policy
internal import Tenants

/// The users of a tenant whom a policy reaches, on one kind of device.
struct PolicyReach: Sendable {
  /// Users who get the policy in the same apps, together with the same other policies.
  struct Group: Sendable {
    var users: [PolicyRecipients]
    /// The names of the other policies that apply in these apps; the strictest values win.
    var others: [String]
  }

  /// The device in words.
  var device: String
  var groups: [Group] = []
  /// The facts on which the policies of some users depend, if these are too many to list all cases.
  var unknownFacts: [String] = []

  /// Returns the users whom a policy of a tenant reaches, on unmanaged and on managed devices.
  static func all(of policy: Int, in tenant: Tenant) -> [PolicyReach] {
    TenantDevice.kinds.map { device in
      var reach = PolicyReach(device: device.text)
      for audience in tenant.audiences(on: device) {
        for part in audience.policies?.parts ?? [] where part.policies.contains(policy) {
          reach.groups.append(
            Group(
              users: tenant.recipients(audience, in: part.apps),
              others: part.policies.filter { $0 != policy }.map {
                tenant.policies[$0].displayName
              }))
        }
        if audience.policies == nil { reach.unknownFacts += audience.unknownFacts }
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
        writer.objects("users", of: group.users) { $1.writeMembers(to: &$0) }
        writer.member("text", group.users.text)
        writer.strings("others", group.others)
      }
      writer.strings("unknown", reach.unknownFacts)
    }
  }
}
