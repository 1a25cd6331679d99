internal import CZygote

extension Zygote {
  /// The errno with which the kernel refuses a child of this process the namespaces that a zygote asks for; 0: it gives them, or
  /// the answer is not known.
  public static func refusal() -> Int32 { -czygote_refusal() }
}
