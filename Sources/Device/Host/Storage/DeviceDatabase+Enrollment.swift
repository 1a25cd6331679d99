internal import GRDB
internal import Model

/// The states of enrollments.
extension DeviceDatabase {
  static let registrationColumn =
    "ALTER TABLE signIn ADD COLUMN registration TEXT NOT NULL DEFAULT ''"

  /// Saves the account's registration where the account is signed in to the app; else does nothing.
  func setRegistration(
    of account: Account, in app: String, _ text: String
  ) throws(HostError) {
    try access { database in
      for id in try Self.ids(of: account, in: database) {
        try database.run(
          "UPDATE signIn SET registration = ? WHERE app = ? AND accountID = ?", [text, app, id])
      }
    }
  }

  /// The registrations that were saved for the app, in the order of sign-in.
  func registrations(of app: String) throws(HostError) -> [(account: Account, text: String)] {
    try look { database in
      try database.rows(
        """
        SELECT upn, objectID, tenantID, registration
        FROM signIn JOIN account ON account.id = accountID
        WHERE app = ? AND registration != '' ORDER BY signIn.id
        """, [app]
      ).compactMap { row in row.account.map { ($0, row["registration"]) } }
    }
  }
}
