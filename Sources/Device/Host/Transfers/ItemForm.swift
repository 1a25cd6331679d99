/// What an item that is handed over consists of.
enum ItemForm {
  case plain
  /// Ciphertext of another device, which nobody here can read.
  case ciphertext
}
