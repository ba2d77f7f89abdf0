import EventLoop
import Testing

@Suite struct `An array that is never copied` {
    private final class Counter {
        var living = 0
    }

    private final class Element {
        let counter: Counter
        init(_ counter: Counter) {
            self.counter = counter
            counter.living += 1
        }
        deinit { counter.living -= 1 }
    }

    @Test func `keeps its elements when it grows`() {
        var array = FlatArray<String>(capacity: 0)
        for number in 0..<100 { array.append("number \(number)") }
        array[7] += ", changed"
        #expect(array.count == 100 && array.indices == 0..<100)
        for number in 0..<100 {
            #expect(array[number] == "number \(number)" + (number == 7 ? ", changed" : ""))
        }
    }

    @Test func `releases its elements once, when they are replaced and at its own end`() {
        let counter = Counter()
        do {
            var array = FlatArray<Element>(capacity: 2)
            for _ in 0..<5 { array.append(Element(counter)) }
            array[3] = Element(counter)
            #expect(counter.living == 5)
        }
        #expect(counter.living == 0)
    }
}
