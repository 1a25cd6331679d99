/// The seed of a guest's random numbers: the same for the same seed of the device and the same name, and another for
/// every other guest.
///
/// FNV-1a of the name, mixed as SplitMix64 does.
func guestSeed(_ seed: UInt64, guest: String) -> UInt64 {
  var mixed = guest.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
    (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
  }
  mixed = mixed &+ seed &* 0x9E37_79B9_7F4A_7C15
  mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
  mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
  return mixed ^ (mixed >> 31)
}
