/// The built-in roles of Entra that conditional access policies often name.
///
/// Source: Learn, "Microsoft Entra built-in roles".
package enum DirectoryRole {
  /// Returns the names of the roles in the order of the table of built-in roles. Ids that the table does not contain
  /// follow unchanged.
  ///
  /// - Parameter ids: The ids of the roles' templates, in lower case.
  package static func names(of ids: [String]) -> [String] {
    ids.compactMap { ranks[$0] }.sorted().map { table[$0].name }
      + ids.filter { ranks[$0] == nil }.sorted()
  }

  private static let ranks: [String: Int] = Dictionary(
    uniqueKeysWithValues: table.enumerated().map { ($1.id, $0) })

  private static let table: [(id: String, name: String)] = [
    ("62e90394-69f5-4237-9190-012177145e10", "Global Administrator"),
    ("e8611ab8-c189-46e8-94e1-60213ab1f814", "Privileged Role Administrator"),
    ("7be44c8a-adaf-4e2a-84d6-ab2649e08a13", "Privileged Authentication Administrator"),
    ("194ae4cb-b126-40b2-bd5b-6091b380977d", "Security Administrator"),
    ("b1be1c3e-b65d-4f19-8427-f6fa0d97feb9", "Conditional Access Administrator"),
    ("3a2c62db-5318-420d-8d74-23affee5d9d5", "Intune Administrator"),
    ("29232cdf-9323-42fd-ade2-1d097af3e4de", "Exchange Administrator"),
    ("f28a1f50-f6e7-4571-818b-6a12f2af6b6c", "SharePoint Administrator"),
    ("69091246-20e8-4a56-aa4d-066075b2a7a8", "Teams Administrator"),
    ("fe930be7-5e62-47db-91af-98c3a49a38b1", "User Administrator"),
    ("729827e3-9c14-49f7-bb1b-9608f156bbb8", "Helpdesk Administrator"),
    ("966707d0-3269-4727-9be2-8c3a10f19b9d", "Password Administrator"),
    ("c4e39bd9-1100-46d3-8c65-fb160da0071f", "Authentication Administrator"),
    ("9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3", "Application Administrator"),
    ("158c047a-c907-4556-b7ef-446551a6b5f7", "Cloud Application Administrator"),
    ("7698a772-787b-4ac8-901f-60d6b08affd2", "Cloud Device Administrator"),
    ("8ac3fc64-6eca-42ea-9e69-59f4c7b60eb2", "Hybrid Identity Administrator"),
    ("b0f54661-2d74-4c50-afa3-1ec803f12efe", "Billing Administrator"),
    ("f2ef992c-3afb-46b9-b7cf-a126ee74c451", "Global Reader"),
    ("5d6b6bb7-de71-4623-b4af-96380a352509", "Security Reader"),
    ("5f2222b1-57c3-48ba-8ad5-d4759f1fde6f", "Security Operator"),
    ("17315797-102d-40b4-93e0-432062caca18", "Compliance Administrator"),
    ("e6d1a23a-da11-4be4-9570-befc86d067a7", "Compliance Data Administrator"),
    ("fdd7a751-b60b-444a-984c-02652fe8fa1c", "Groups Administrator"),
    ("4d6ac14f-3453-41d0-bef9-a3e0c569773a", "License Administrator"),
    ("0526716b-113d-4c15-b2c8-68e3c22b9f80", "Authentication Policy Administrator"),
    ("45d8d3c5-c802-45c6-b32a-1d70b5e1e86e", "Identity Governance Administrator"),
    ("cf1c38e5-3621-4004-a7cb-879624dced7c", "Application Developer"),
    ("892c5842-a9a6-463a-8041-72aa08ca3cf6", "Cloud App Security Administrator"),
    ("8329153b-31d0-4727-b945-745eb3bc5f31", "Domain Name Administrator"),
    ("be2f45a1-457d-42af-a067-6ec1fa63bc45", "External Identity Provider Administrator"),
    ("9360feb5-f418-4baa-8175-e2a00bac4301", "Directory Writers"),
    ("88d8e3e3-8f55-4a1e-953a-9b9898b8876b", "Directory Readers"),
    ("d29b2b05-8046-44ba-8758-1e26182fcf32", "Directory Synchronization Accounts"),
    ("11648597-926c-4cf3-9c36-bcebb0ba8dcc", "Power Platform Administrator"),
    ("a9ea8996-122f-4c74-9520-8edcd192826c", "Fabric Administrator"),
    ("44367163-eba1-44c3-98af-f5787879f96a", "Dynamics 365 Administrator"),
    ("2b745bdf-0803-4d80-aa65-822c4493daac", "Office Apps Administrator"),
    ("11451d60-acb2-45eb-a7d6-43d0f0125c13", "Windows 365 Administrator"),
    ("d2562ede-74db-457e-a7b6-544e236ebb61", "AI Administrator"),
    ("db506228-d27e-4b7d-95e5-295956d6615f", "Agent ID Administrator"),
    ("6b942400-691f-4bf0-9d12-d8a254a2baf5", "Agent Registry Administrator"),
    ("1707125e-0aa2-4d4d-8655-a7c786c76a25", "Microsoft 365 Backup Administrator"),
    ("e93e3737-fa85-474a-aee4-7d3fb86510f3", "Dragon Administrator"),
    ("f023fd81-a637-4b56-95fd-791ac0226033", "Service Support Administrator"),
    ("4a5d8f65-41da-4de4-8968-e035b65339cf", "Reports Reader"),
    ("95e79109-95c0-4d8e-aee3-d01accf2d47b", "Guest Inviter"),
  ]
}
