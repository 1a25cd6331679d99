public import ArgumentParser
public import IntuneLint

extension SDKVersion: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
