/// What a guest can ask of the device.
public enum Operation: String, Sendable, CaseIterable {
  case share
  case openIn
  case `import`
  case copy
  case paste
  case openURL
  case keychainAdd
  case keychainQuery
  case keychainDelete
  case signIn
  case signOut
  case switchIdentity
  case completeExtension
}
