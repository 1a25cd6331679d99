internal import DequeModule

/// A bounded queue whose elements leave in the order of their arrival, or together with their owner.
struct ArrivalQueue<Element> {
  /// The maximum number of elements.
  private let limit: Int
  /// The elements that have not left, by number in order of arrival.
  private var elements: [Int: Element] = [:]
  /// The numbers in order of arrival, including those of removed elements.
  private var order: Deque<Int> = []
  /// The numbers of each owner's elements, in order of arrival.
  private var owned: [String: Deque<Int>] = [:]
  private var lastNumber = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { elements.count }
  var isEmpty: Bool { elements.isEmpty }
  var isFull: Bool { elements.count >= limit }

  /// Adds an element. The queue must not be full.
  mutating func append(_ element: Element, of owner: String) {
    precondition(!isFull, "a full queue takes no element")
    lastNumber += 1
    elements[lastNumber] = element
    order.append(lastNumber)
    owned[owner, default: []].append(lastNumber)
  }

  /// Removes and returns the element that has waited longest; nil if the queue is empty.
  ///
  /// - Parameter owner: Returns the owner of an element.
  mutating func popFirst(owner: (Element) -> String) -> Element? {
    while let number = order.popFirst() {
      guard let element = elements.removeValue(forKey: number) else { continue }
      let owner = owner(element)
      // It is also the owner's oldest element.
      _ = owned[owner]?.popFirst()
      if owned[owner]?.isEmpty == true { owned[owner] = nil }
      return element
    }
    return nil
  }

  /// Removes the elements of an owner, and returns them in order of arrival.
  mutating func removeAll(of owner: String) -> [Element] {
    let removed = (owned.removeValue(forKey: owner) ?? []).compactMap {
      elements.removeValue(forKey: $0)
    }
    // The numbers of removed elements must not accumulate while no element is popped.
    if order.count > 2 * elements.count + 16 {
      let left = elements
      order.removeAll { left[$0] == nil }
    }
    return removed
  }
}
