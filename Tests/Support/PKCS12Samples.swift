internal import Foundation

/// PKCS #12 files with a P-256 key and a self-signed certificate, encrypted with the password
/// `open-sesame`.
///
/// The files were created by `openssl pkcs12 -export` with AES-256 and SHA-256.
public enum PKCS12Samples {
  public static let password = "open-sesame"

  /// A certificate that is valid from 2025 to 2045.
  public static let valid = base64("valid.p12")

  /// A certificate that expired in 2021.
  public static let expired = base64("expired.p12")

  /// A certificate that is valid from 2040.
  public static let future = base64("future.p12")

  /// The same file as `valid`, created with `-legacy`. The certificate is encrypted with RC2.
  public static let legacy = base64("legacy.p12")

  private static func base64(_ name: String) -> String {
    Data(Repository.sample(name)).base64EncodedString()
  }
}
