internal import Foundation
internal import GRDB
internal import Model

/// The documents that came from other devices.
extension DeviceDatabase {
  static let parcelTable = """
    CREATE TABLE parcel (
      carrier TEXT PRIMARY KEY, number INTEGER NOT NULL, device TEXT NOT NULL,
      request INTEGER NOT NULL, type TEXT NOT NULL, name TEXT, payload BLOB NOT NULL,
      encrypted INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """

  /// Keeps a parcel in place of the one that came before it by the same carrier.
  func keep(_ parcel: Parcel, as number: Int) throws(HostError) {
    try access { database in
      try database.run(
        "INSERT OR REPLACE INTO parcel VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          parcel.carrier.rawValue, number, parcel.device, parcel.request, parcel.type,
          parcel.name, Data(parcel.payload), parcel.isEncrypted,
        ])
    }
  }

  /// The parcel that came last by a carrier; nil: none.
  func parcel(by carrier: Carrier) throws(HostError) -> (number: Int, parcel: Parcel)? {
    try access { database in
      let row = try database.row(
        "SELECT * FROM parcel WHERE carrier = ?", [carrier.rawValue])
      return row.map { row in
        (
          row["number"],
          Parcel(
            carrier: carrier, device: row["device"], request: row["request"], type: row["type"],
            name: row["name"], payload: row.bytes("payload"), isEncrypted: row["encrypted"])
        )
      }
    }
  }
}
