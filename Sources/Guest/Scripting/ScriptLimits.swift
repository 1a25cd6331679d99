/// The limits of a script.
package struct ScriptLimits: Sendable, Hashable {
  /// Instructions of Lua's machine for one callback, or for the file itself.
  package var instructions: UInt64 = 50_000_000
  /// Bytes of the whole script at one time.
  package var memory = 32 << 20
  /// Milliseconds of processor time for one callback, or for the file itself.
  package var milliseconds: UInt32 = 5_000
  /// The treatment of a process whose script is still within one call of Lua's own library a second after the limit.
  package var overdue = Overdue.endProcess

  /// The treatment of a process whose script does not stop in time.
  package enum Overdue: Sendable {
    case endProcess
    case wait
  }

  /// The default limits.
  package init() {}
}
