"""Plants faults in made-up records, and checks that the oracle names each of them."""

import unittest

from oracle import (
    Evidence, Outcome, Record, broken_promises, in_doubt, not_accepted, repeats, sent_again, summary)


def sound():
    """A round in which everything went as promised: two partitions with five records each."""
    records = [Record(number % 2, number // 2, number) for number in range(10)]
    evidence = Evidence("cluster", "group", "events", records, set(), [], {0: 5, 1: 5}, [])
    for record in records:
        evidence.outcomes.append(Outcome(record, "accepted", evidence.apns_id(record)))
        evidence.accepted.append((evidence.apns_id(record), record.number))
    return evidence


class Oracle(unittest.TestCase):
    def expect(self, evidence, *beginnings, most_repeats=0):
        lines = broken_promises(evidence, most_repeats)
        self.assertEqual([line.split(":")[0] for line in lines], list(beginnings), lines)
        return lines

    def test_finds_nothing_in_a_sound_round(self):
        self.expect(sound())

    def test_derives_the_apns_id_as_the_product_documents_it(self):
        evidence = Evidence(
            "5L6g3nShT-eMCtK--X86sw", "apns-orders", "shop.orders", [], set(), [], {})
        expected = "e776d936-6737-5092-95ba-9d1528fdb7fa"
        self.assertEqual(evidence.apns_id(Record(0, 0, 0)), expected)

    def test_names_a_lost_record_that_is_not_committed(self):
        evidence = sound()
        lost = evidence.outcomes.pop(8).record
        evidence.committed[0] = 4
        lines = self.expect(evidence, "lost")
        self.assertIn(str(lost), lines[0])

    def test_names_a_commit_past_a_gap(self):
        evidence = sound()
        lost = evidence.outcomes.pop(2).record
        lines = self.expect(evidence, "lost", "gap")
        self.assertIn(str(lost), lines[1])

    def test_names_a_double(self):
        evidence = sound()
        evidence.outcomes.append(evidence.outcomes[3])
        lines = self.expect(evidence, "repeated", "double")
        self.assertIn(str(evidence.outcomes[3].record), lines[1])
        self.expect(evidence, most_repeats=1)
        self.assertEqual(repeats(evidence), 1)

    def test_names_a_foreign_apns_id(self):
        evidence = sound()
        first, second = evidence.outcomes[:2]
        evidence.outcomes[0] = Outcome(first.record, "accepted", second.apns_id)
        lines = self.expect(evidence, "foreign apns-id", "invented")
        self.assertIn(str(first.record), lines[0])

    def test_names_an_outcome_of_a_record_that_nobody_published(self):
        evidence = sound()
        foreign = Record(0, 99, 99)
        evidence.outcomes.append(Outcome(foreign, "unknown", evidence.apns_id(foreign)))
        self.expect(evidence, "foreign")

    def test_names_an_outcome_of_a_record_of_an_aborted_transaction(self):
        evidence = sound()
        evidence.present.pop(4)
        self.expect(evidence, "foreign")

    def test_names_an_outcome_that_APNs_knows_nothing_of(self):
        evidence = sound()
        evidence.accepted.pop(5)
        self.expect(evidence, "invented")
        evidence.accepted = None
        self.expect(evidence)

    def test_expects_no_outcome_of_a_record_that_was_removed(self):
        evidence = sound()
        evidence.removed.add(evidence.present.pop(0))
        self.expect(evidence)
        evidence.outcomes.pop(0)
        self.expect(evidence)

    def test_counts_what_was_sent_again_and_what_is_in_doubt(self):
        evidence = sound()
        evidence.accepted.append(evidence.accepted[0])
        record = evidence.outcomes[0].record
        evidence.outcomes[0] = Outcome(record, "unknown", evidence.apns_id(record))
        self.assertEqual(sent_again(evidence), 1)
        self.assertEqual(in_doubt(evidence), 1)

    def test_names_what_was_not_accepted(self):
        evidence = sound()
        self.assertEqual(not_accepted(evidence), [])
        record = evidence.outcomes[3].record
        evidence.outcomes[3] = Outcome(record, "dropped", evidence.apns_id(record))
        self.assertEqual(
            not_accepted(evidence), [f"not accepted: {record} is said to be dropped"])

    def test_sums_up_the_rounds_of_a_kind_that_was_played_more_than_once(self):
        rounds = [
            ("kill", 4, 9.0, 2), ("kill", 10, 10.04, 2), ("kill", 5, 11.0, 1),
            ("kill", None, 99.0, 2), ("pause", 1, 1.0, 0), ("disk", 1, 1.0, 0), ("disk", 3, 2.0, 0)]
        self.assertEqual(summary(rounds), [
            ("kill", 3, "5", "10", "4", "10.0", "11.0"), ("disk", 2, "2", "3", "", "1.5", "2.0")])


if __name__ == "__main__":
    unittest.main()
