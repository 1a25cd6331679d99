import Foundation

/// Profiles that `openssl` has put into messages, once: `smime -sign -nodetach` (`signed`),
/// `cms -sign -nodetach -stream` (`streamed`), `smime -sign` (`detached`),
/// `cms -encrypt`, its beginning (`encrypted`).
enum SignedProfiles {
  static let signed = bytes(
    """
    MIICTQYJKoZIhvcNAQcCoIICPjCCAjoCAQExDzANBglghkgBZQMEAgEFADCCAYgGCSqGSIb3DQEHAaCCAXkEggF1PD94
    bWwgdmVyc2lvbj0iMS4wIiBlbmNvZGluZz0iVVRGLTgiPz4KPHBsaXN0IHZlcnNpb249IjEuMCI+PGRpY3Q+CjxrZXk+
    UGF5bG9hZFR5cGU8L2tleT48c3RyaW5nPkNvbmZpZ3VyYXRpb248L3N0cmluZz4KPGtleT5QYXlsb2FkSWRlbnRpZmll
    cjwva2V5PjxzdHJpbmc+Y29tLmNvbnRvc28uc2lnbmVkPC9zdHJpbmc+CjxrZXk+UGF5bG9hZENvbnRlbnQ8L2tleT48
    YXJyYXk+PGRpY3Q+CjxrZXk+UGF5bG9hZFR5cGU8L2tleT48c3RyaW5nPmNvbS5hcHBsZS5hcHBsaWNhdGlvbmFjY2Vz
    czwvc3RyaW5nPgo8a2V5PmFsbG93T3BlbkZyb21NYW5hZ2VkVG9Vbm1hbmFnZWQ8L2tleT48ZmFsc2UvPgo8L2RpY3Q+
    PC9hcnJheT4KPC9kaWN0PjwvcGxpc3Q+CjGBlzCBlAIBATAqMBIxEDAOBgNVBAMMB0NvbnRvc28CFH8vEFn6EgBwG7nx
    cWiW4uAdSwmKMA0GCWCGSAFlAwQCAQUAMAoGCCqGSM49BAMCBEgwRgIhANPBSDPZTB/thT84mbDXcjH3Nuadqqrq5vib
    twgdKXxrAiEAp55xsy74w67hlgR7hQnxG9/6GVh38lt3jf0J0nNyv0o=
    """)

  static let streamed = bytes(
    """
    MIAGCSqGSIb3DQEHAqCAMIACAQExDTALBglghkgBZQMEAgEwgAYJKoZIhvcNAQcBoIAkgASCAXU8P3htbCB2ZXJzaW9u
    PSIxLjAiIGVuY29kaW5nPSJVVEYtOCI/Pgo8cGxpc3QgdmVyc2lvbj0iMS4wIj48ZGljdD4KPGtleT5QYXlsb2FkVHlw
    ZTwva2V5PjxzdHJpbmc+Q29uZmlndXJhdGlvbjwvc3RyaW5nPgo8a2V5PlBheWxvYWRJZGVudGlmaWVyPC9rZXk+PHN0
    cmluZz5jb20uY29udG9zby5zaWduZWQ8L3N0cmluZz4KPGtleT5QYXlsb2FkQ29udGVudDwva2V5PjxhcnJheT48ZGlj
    dD4KPGtleT5QYXlsb2FkVHlwZTwva2V5PjxzdHJpbmc+Y29tLmFwcGxlLmFwcGxpY2F0aW9uYWNjZXNzPC9zdHJpbmc+
    CjxrZXk+YWxsb3dPcGVuRnJvbU1hbmFnZWRUb1VubWFuYWdlZDwva2V5PjxmYWxzZS8+CjwvZGljdD48L2FycmF5Pgo8
    L2RpY3Q+PC9wbGlzdD4KAAAAAAAAMYGTMIGQAgEBMCowEjEQMA4GA1UEAwwHQ29udG9zbwIUfy8QWfoSAHAbufFxaJbi
    4B1LCYowCwYJYIZIAWUDBAIBMAoGCCqGSM49BAMCBEYwRAIgAsQLuWnq6ra7z155+hBGHDgu+LM2+fjUjp3X9oZAelEC
    ICNAAnuavQBcQvJkMRRJc7qZ54ai5b2Dvjt5u6YhqHBoAAAAAAAA
    """)

  static let detached = bytes(
    """
    MIHKBgkqhkiG9w0BBwKggbwwgbkCAQExDzANBglghkgBZQMEAgEFADALBgkqhkiG9w0BBwExgZUwgZICAQEwKjASMRAw
    DgYDVQQDDAdDb250b3NvAhR/LxBZ+hIAcBu58XFoluLgHUsJijANBglghkgBZQMEAgEFADAKBggqhkjOPQQDAgRGMEQC
    IHjfS4KjodSX3BnybP7EhPDlsMKSlEQGUd9rGM2pCUf7AiBWHG6T8O2f6NQagiQD0DLrnEvlmNT8wxNL7TbWmlXC3w==
    """)

  static let encrypted = bytes(
    """
    MIICiwYJKoZIhvcNAQcDoIICfDCCAngCAQIxgdGhgc4CAQOgUaFPMAkGByqGSM49AgEDQgAESH2FQXmBQiIamO/VVDaX
    5qQ0wER13tTFkl4k4oTeOGsLzNJtsUrWccXu9p387AAz/LLQpG1rKbSzq06l0fbK7TAc
    """)

  private static func bytes(_ text: String) -> [UInt8] {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
  }
}
