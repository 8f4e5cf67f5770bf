"""Sentences that a built encoder is measured on: the registers, lengths and odd characters of legal text."""

_TEXT = """
Notwithstanding the provisions of sections 106 and 106A, the fair use of a copyrighted work is not an
infringement of copyright.

No person shall park a vehicle within 10 feet of a fire hydrant.

§ 29-801.02. Definitions.

The term “State” includes the District of Columbia, Puerto Rico, Guam and the Virgin Islands.

Whoever violates subsection (a) shall be fined under this title or imprisoned not more than 5 years, or
both.

Repealed.

17 U.S.C. § 107 — Copyrights > Subject Matter and Scope of Copyright — Limitations on exclusive rights

An application for a patent shall be made, or authorized to be made, by the inventor, except as otherwise
provided in this title, in writing to the Director.

The minimum lot size in the R-3 zone is 5,000 square feet | 50 feet wide | 100 feet deep.

A tenant may withhold rent if the landlord fails to make repairs within 30 days after written notice.

(B) any such other amount as the Secretary determines appropriate;

can my landlord evict me without notice

The court may, for cause, extend the time under Rule 3002(c) if the motion is filed before expiry.

Each member of a limited liability company owes a duty of loyalty and a duty of care to the company.

There are authorized to be appropriated such sums as may be necessary for fiscal years 2019 through 2024.

It shall be unlawful to discharge any pollutant into navigable waters without a permit.

copyright fair use

The National Park Service shall administer the Río Grande Wild and Scenic River; señal, façade, naïve.

For purposes of paragraph (1)(A)(ii)(I), the applicable percentage is 33⅓ percent, reduced (but not below
zero) by the amount described in clause (iii), and determined without regard to section 1886(d)(5)(F).

Every employer shall pay to each employee overtime at a rate not less than one and one-half times the
regular rate for hours worked in excess of 40 in a workweek.

IN GENERAL.—

A State may not be sued in federal court by a citizen of another State without its consent.

The Mayor shall issue rules, pursuant to subchapter I of Chapter 5 of Title 2, to implement this
subchapter; the proposed rules shall be submitted to the Council for a 45-day period of review, excluding
Saturdays, Sundays, legal holidays, and days of Council recess. If the Council does not approve or
disapprove the proposed rules, by resolution, within the 45-day review period, the proposed rules shall
be deemed approved. Nothing in this section shall affect any requirements imposed upon the Mayor by
Chapter 5 of Title 2, and nothing shall be construed to create a private right of action against the
District government, its officers, employees, or agents, for any act or omission under this section.

Dower and curtesy are abolished.
"""

SENTENCES = tuple(" ".join(paragraph.split()) for paragraph in _TEXT.split("\n\n"))
