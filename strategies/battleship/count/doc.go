// Package count counts, exactly, the placements of a fleet that would have
// given the answers a shooter has, and for every square not shot how many of
// them have a ship there. Strategies that shoot where a ship most likely lies
// ask it before every shot; `paper analyse battleship` prints it.
//
//	c := count.New(board)
//	c.Count(knowledge)
//	best, placements := c.Best()
//
// # The question
//
// Ships are told apart. Misses hold no ship, hits hold one; a sunk ship lies
// inside the hits that existed when it sank and holds the square that sank it;
// a ship afloat is not wholly hit. Sakuta and Iida (2002, sections 3 and 4)
// enumerated the placements of at most four ships on at most 70 squares and
// stopped there for the time it took: of the whole fleet there are
// 30,093,975,536. They named incremental counting as the way on; a closed form
// for four ships turned out to be a shorter one.
//
// # Segments on a grid
//
// A placement is a straight segment of squares, and so is what two of them
// share, if anything. A segment has one square more than it has edges between
// squares, hence
//
//	[p meets q] = common squares - common edges, 0 or 1.           (1)
//
// Write n(x) for the number of a ship's placements on x, a square or an edge,
// and e(x) = +1 for squares, -1 for edges. By (1) the number M(p) of them that
// meet p is the sum of e(x) n(x) over the squares and edges x of p: two lookups
// in a prefix sum. The same holds for any weights on the placements.
//
// Segments along two axes have Helly's property: if every two of several
// meet, they share a segment. So (1) holds for any number of them: they all
// meet pairwise = sum over x of e(x) [x is in all].                (2)
//
// # Two and three ships
//
// Let N be the number of a ship's placements on the free squares, D(p) = N -
// M(p) those that miss p. With p in place a second ship has D(p) places. Two
// further ships q, r have D D of which those must go that meet each other:
//
//	W(p) = Dq(p) Dr(p) - Mqr + Vqr(p),                             (3)
//
// Mqr being the meeting pairs of q and r, and Vqr(p) those of them that meet
// p. The union of a meeting pair is connected and, by (2), meets p in a
// segment, so Vqr(p) is the sum over p of e(x) Vqr(x) with
//
//	Vqr(x) = sum of Mr(q) over q on x + sum of Mq(r) over r on x - nq(x) nr(x),
//
// the meeting pairs that cover x. All weights W(p) of three ships take
// O(squares + placements).
//
// # Four ships
//
// Expand the product of (1 - [p meets q]) over the six pairs of four ships into 64 graphs on
// four vertices, and sum each over all placements. Graphs without a cycle of four are trees and
// forests of cliques, whose sums fall apart by (2): the edge ij gives Mij, the path i-j-k the
// sum over j of Mi(j) Mk(j). The path i-j-k-l gives the sum over x of e(x) Ai(j,x) Al(k,x),
// where Ai(j,x) is the sum of Mi(j) over the j on x. The triangle ijk with a tail kl gives that
// of e ni nj Al(k), the clique of four that of e n1 n2 n3 n4, and so on. The cycle of four may
// have a chord: then it is the graph of two triangles, or the clique. If it has none, it is two
// parallel segments across and two down, each meeting both others, a # sign. The reason: if two
// disjoint segments are both met by two others that are disjoint too, each pair must lie apart
// in one of the two axes. With X the number of those # signs
//
//	cycles = X + graphs of two triangles - 3 cliques,
//
// in which the graphs of two triangles cancel against their own term of the
// expansion. What remains at x collects into the V of (3):
//
//	Z = N1 N2 N3 N4 - sum Mij Nk Nl + sum Mij Mkl
//	  + sum over paths i-j-k of Nl Mi(j) Mk(j) - sum over j of Mi(j) Mk(j) Ml(j)
//	  - sum over triangles of Nl e ni nj nk
//	  + sum over x of e(x) (n1 n2 n3 n4 - V12 V34 - V13 V24 - V14 V23) + X.   (4)
//
// Z is linear in the placements of each ship, so the arrangements with ship 1
// at p are its derivative by p, found for all placements at once by running
// (4) backwards:
//
//	W(p) = Z(2,3,4) - N2 N3 N4 + D2 D3 D4
//	     + sum over j of Mj(p) (Nk Nl - Vkl(p)) + G(p) + X(p)
//	G(x) = sum over j of nj Vkl - sum of nj nk Nl + n2 n3 n4
//	     - sum over j and its placements q on x of W(q) in (3) for j, k, l,
//
// G(p) being the sum of e(x) G(x) over p. A # sign is a rectangle: X is, over
// all rectangles of squares, the permanent of the table that says how many
// placements of each ship cover two corners on each side; X(p) takes its minors.
// Sides are shorter than the second longest ship.
//
// # Five ships, hits, sinkings
//
// With five ships the one with the fewest placements goes through them all,
// each leaving a closed form of the rest; weights are added up by place and
// turned into squares at the end. Ships of one length go in order, two such
// ships among the last four are summed once. Ships of length 1 take any squares
// that the others leave: these always leave equally many.
//
// Sunk ships whose place is not certain go through their candidates, fewest first. Then the
// open hit that the fewest placements can cover goes through those, until no hit is left, or at
// most four ships are left and inclusion and exclusion over the hits looks cheaper. That counts
// all arrangements, less those that miss one, and so on, each by a closed form.
//
// # Six ships and more
//
// Each ship beyond four multiplies the closed forms by its placements. From six
// ships on, where Effort finds it cheaper, the board is swept instead, row by
// row. Between two rows a profile says of each column how many rows the ship
// that lies down in it has to go. Beside the profile there is a number for each
// multiset of ships in place and each number of those that lie down. A row
// starts ships down in columns that are free, then puts ships across between the
// columns taken, then goes on to the next:
//
//	F'(p + starts, u + starts) += F(p, u)
//	F(p - 1, u + v) += F'(p, u) h(taken(p), v)                     (5)
//
// h(O, v) is the number of ways to put the multiset v of ships across into the
// row with the columns O taken, such that all open hits of the row outside O are
// covered. One pass along the columns finds it. A ship that is afloat starts
// where it fits and would not be wholly hit, so that hits only narrow a sweep.
//
// Ships that lie across cost next to nothing, ships that lie down make profiles. Of n ships
// either at most d lie down or at most n - d - 1 lie across. So the sum of two sweeps is exact:
// one row by row, of the arrangements with at most d ships down, and one column by column, of
// those with at most n - d - 1 across. No profile has more than half of the ships. d is what
// makes the sum cheapest: the profiles of each row are counted beforehand, for each class of
// them, a class being all profiles with the same ships to finish in whichever columns. A class
// also determines which numbers there are, so where numbers go in a step is worked out once a
// class.
//
// Sum (5) is linear. Run backwards it tells what every number is worth: how many
// arrangements come of one. F'(p, u) times its worth, added up, are the
// arrangements with a ship down in the columns taken in p; and the worth of a
// way in h(O, v) goes back along the row to the squares of ships across. So all
// squares take one sweep back. The layers between rows are kept, or, when they
// are large, one in four, the others being counted a second time.
//
// Numbers are kept modulo 2^64. If there may be more arrangements, a second sweep in floating
// point, all of whose terms are positive, says how many times 2^64 are to be added. 12 ships at
// most make fewer than 2^100 arrangements, or they are too many to be swept at all, and 53 bits
// less the rounding leave ten to spare. Ships alike are kept alike and told apart in the end;
// ships of length 1 are left out as above, sinkings that are not certain leave sets of open
// hits, each of which is swept once. A ship as long as 16 squares goes through its places.
//
// # Cost
//
// One core of an Intel Xeon, all squares, no allocation, best of several runs;
// means of 16 positions with random misses (BenchmarkCount and, in the same
// run, BenchmarkEnumeration):
//
//	ships             squares   time      plain enumeration
//	5, 4, 3, 3, 2     100       1.8 ms
//	5, 4, 3, 3, 2     80        0.38 ms
//	4, 3, 3, 2        70        8.2 us    38 ms
//	5, 4, 3, 3        70        8.2 us    3.9 ms
//	5, 4, 3           60        2.4 us    9 us
//	4, 3              40        0.9 us
//	5, 4, 3, 3, 2     256       29 ms
//
// Sweeps of the empty board, processor time of one core (`paper analyse battleship`):
//
//	ships                           squares   time     memory
//	5, 4, 3, 3, 2, 2                256       0.9 s
//	5, 4, 3, 3, 2, 2, 2             100       0.2 s
//	5, 4, 3, 3, 2, 2, 2             256       2.8 s    0.25 GB
//	4, 3, 3, 2, 2, 2, 1, 1, 1, 1    256       0.4 s    0.09 GB
//	5, 4, 4, 3, 3, 3, 2, 2          100       1.7 s
//	5, 4, 3, 3, 2, 2, 2, 2          256       52 s     1.6 GB
//	2 (twelve of them)              256       15 s
//	5, 4, 4, 3, 3, 3, 2, 2, 2, 2    100       30 s     1.8 GB
//
// and of 16 x 16 squares with random misses, ships sunk and hits open:
//
//	ships                           misses, sunk, open
//	5, 4, 4, 3, 3, 3, 2, 2          40, 0, 0  6.7 s    0.53 GB
//	5, 4, 4, 3, 3, 3, 2, 2, 2, 2    100, 0, 0 0.8 s    0.14 GB
//	5, 4, 4, 3, 3, 3, 2, 2, 2, 2    80, 0, 0  4.1 s    0.45 GB
//	5, 4, 4, 3, 3, 3, 2, 2, 2, 2    60, 2, 2  0.4 s    0.08 GB
//	5, 4, 4, 3, 3, 3, 2, 2, 2, 2    40, 3, 3  0.5 s    0.09 GB
//
// Shots make sweeps shorter: misses take away places, hits that must be covered
// more so, and sunk ships are gone. Effort tells beforehand what a count takes,
// in milliseconds; `paper analyse battleship` refuses what exceeds its limits. In 300
// games of exact play with the paper's fleet from the first shot, with hits open
// for a third of the shots, a game took 13 ms, 12 of them with all five ships
// afloat.
//
// # Choices
//
// Two loops and the closed form of three ships, which the project began with,
// took 46 ms for the empty board. Packing makes (4) fast: counts of four ships
// in lanes of 16 bits, of pairs in 21, gradients in 32, all sums of a plane in
// one pass. Separate arrays for each ship's place cost two short passes more
// than the tally by first and last square does. Eightfold symmetry is left out:
// it would serve the empty board and hardly any other position.
//
// Sweeps were also tried square by square, the profiles in the order of their keys so that
// nothing is looked up (merging those that differ in the square's column). This has fewer
// numbers at a time, but sixteen times as many profiles to go through. It was three times
// slower with seven ships on 16 x 16 squares and slower still with eight. With eight ships on
// 16 x 16 squares a third of the time is the table of profiles, which no longer fits the cache.
package count
