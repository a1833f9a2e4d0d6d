package daifugo

import (
	"fmt"
	"iter"
	"math/bits"

	"sakusen/engines/daifugo"
)

// Method is one of the five searches of Tables 1 to 6.
type Method string

// The five methods.
const (
	full    Method = "full"        // every node
	prune   Method = "prune"       // stop when the mover is first and the others can be anything else
	pruneID Method = "prune+id"    // the same by iterative deepening, two plies a step
	pruneTT Method = "prune+tt"    // with a transposition table
	pruneTI Method = "prune+id+tt" // with both
)

// Methods lists the five in the order of the paper's tables.
func Methods() []Method { return []Method{full, prune, pruneID, pruneTT, pruneTI} }

// MethodOf reads a method's name.
func MethodOf(name string) (Method, error) {
	for _, m := range Methods() {
		if string(m) == name {
			return m, nil
		}
	}
	return "", fmt.Errorf("method: expected one of %v, got %q", Methods(), name)
}

// deepens reports whether the method searches by iterative deepening.
func (m Method) deepens() bool { return m == pruneID || m == pruneTI }

// Remembers reports whether the method has a transposition table.
func (m Method) Remembers() bool { return m == pruneTT || m == pruneTI }

// order is the order in which a node's moves are searched.
type order string

// Orders of moves. The paper's is ascending.
const (
	Ascending  order = "ascending"  // small cards first, pass last
	descending order = "descending" // high cards first, pass last
	passFirst  order = "pass-first" // pass, then small cards first
)

// Orders lists them.
func Orders() []order { return []order{Ascending, descending, passFirst} }

// key says which positions share an entry of the transposition table.
type key string

// Keys of the table.
const (
	PaperKey     key = "paper"     // turn, hands, table, last player, who is ranked
	canonicalKey key = "canonical" // what the future depends on: the paper's "similar positions"
)

// Keys lists them.
func Keys() []key { return []key{PaperKey, canonicalKey} }

// Options of a search. The zero value of every field but Method is the
// paper's, with an exact table in place of its unpublished hash.
type Options struct {
	Method  Method
	Limit   uint64  // nodes; 0: none. The paper's is PaperLimit
	Step    int     // plies between two thresholds, 0: 2
	Order   order   // "": Ascending
	Bits    int     // table of 2^Bits entries; 0: unbounded
	Probes  int     // slots of a bounded table that are looked at, 0: PaperProbes
	Hash    uint64  // number of the bounded table's hash function; 0 is the usual one
	Replace Replace // "": ReplaceHome
	Key     key     // "": PaperKey
	// Open also stops where a player is ranked and the mover gets the best rank still open,
	// and every other player can have any rank below it.
	Open bool
	// Interior uses what iterative deepening knows before the end of the game: the ranks
	// already given bound what an unknown child can be, and a child that a known one drops
	// in any case is not searched deeper.
	Interior bool
}

// PaperLimit is 2^23 nodes, above which the tables print "over". (Section 4.2
// says 2^20, which the tables contradict.)
const PaperLimit = 1 << 23

// Validate returns an error that says which option is wrong.
func (o Options) Validate() error {
	if _, err := MethodOf(string(o.Method)); err != nil {
		return err
	}
	if o.Step < 0 {
		return fmt.Errorf("step: expected 1 or more plies, got %d", o.Step)
	}
	if o.Order != "" && o.Order != Ascending && o.Order != descending && o.Order != passFirst {
		return fmt.Errorf("order: expected one of %v, got %q", Orders(), o.Order)
	}
	if o.Key != "" && o.Key != PaperKey && o.Key != canonicalKey {
		return fmt.Errorf("key: expected one of %v, got %q", Keys(), o.Key)
	}
	o.fill()
	return checkTable(o.Bits, o.Probes, o.Replace)
}

// fill puts the paper's values in place of zeros.
func (o *Options) fill() {
	if o.Step == 0 {
		o.Step = 2
	}
	if o.Order == "" {
		o.Order = Ascending
	}
	if o.Probes == 0 {
		o.Probes = PaperProbes
	}
	if o.Replace == "" {
		o.Replace = ReplaceHome
	}
	if o.Key == "" {
		o.Key = PaperKey
	}
}

// family is the children of a node, some of which are unknown. Each has a set of ranks that
// contains its value; Interior derives from them what the node's own value can be.
type family struct {
	n     int
	value [daifugo.MaxCards + 1]Value
	mover [daifugo.MaxCards + 1]set
	known [daifugo.MaxCards + 1]bool
}

func (f *family) add(v Value, mover set, known bool) {
	f.value[f.n], f.mover[f.n], f.known[f.n] = v, mover, known
	f.n++
}

// rest returns the union of the children that may be kept, and whether any of them is
// unknown; if none is, it is the node's value. Let m be the smallest worst rank that any
// child is sure of. A child is certainly dropped when it is sure to be worse than m, or
// when it is sure to be no better than m while a known child with more than one rank ends
// in m. A dropped child drops only children that the one which dropped it drops too.
func (f *family) rest() (Value, bool) {
	m := none
	for i := range f.n {
		m = min(m, f.mover[i].worst())
	}
	larger := false
	for i := range f.n {
		if f.known[i] && !f.mover[i].single() && f.mover[i].worst() == m {
			larger = true
		}
	}
	var v Value
	open := false
	for i := range f.n {
		best := f.mover[i].best()
		if best > m || best == m && larger {
			continue
		}
		v |= f.value[i]
		open = open || !f.known[i]
	}
	return v, open
}

// set is a set of ranks: bit r-1 is rank r.
type set uint8

// single reports whether the set has exactly one rank.
func (s set) single() bool { return s != 0 && s&(s-1) == 0 }

// best returns the lowest rank in the set, 1 the best there is. The set is not empty.
func (s set) best() int { return bits.TrailingZeros8(uint8(s)) + 1 }

// worst returns the highest rank in the set; 0 of an empty set.
func (s set) worst() int { return bits.Len8(uint8(s)) }

// ranks lists the set in ascending order.
func (s set) ranks() []int {
	ranks := make([]int, 0, bits.OnesCount8(uint8(s)))
	for ; s != 0; s &= s - 1 {
		ranks = append(ranks, s.best())
	}
	return ranks
}

// Value is one Set per seat: seat i has bits i*K .. i*K+K-1, K being the
// number of rank kinds of the rules.
type Value uint64

// at returns the set of one seat.
func (v Value) at(seat, ranks int) set {
	return set(v>>(seat*ranks)) & set(1<<ranks-1)
}

// With returns v with one more rank for a seat.
func (v Value) With(seat, rank, ranks int) Value {
	return v | 1<<(seat*ranks+rank-1)
}

// Sets lists the ranks of every seat, as `paper solve daifugo` prints them.
func (v Value) Sets(r daifugo.Rules) [][]int {
	sets := make([][]int, r.Seats)
	for i := range sets {
		sets[i] = v.at(i, r.Ranks).ranks()
	}
	return sets
}

// ranked has the ranks already given in p, and nothing for any other player. It is the
// value of p when p is over.
func ranked(p *daifugo.Position) Value {
	var v Value
	r := p.Rules()
	for i := range r.Seats {
		if rank := p.Rank(i); rank != 0 {
			v = v.With(i, rank, r.Ranks)
		}
	}
	return v
}

// everything returns the value that excludes nothing: every rank not yet given, for every
// unfinished player.
func everything(p *daifugo.Position) Value {
	v := ranked(p)
	if p.Over() {
		return v
	}
	r := p.Rules()
	open := Value(1)<<r.Ranks - 1<<p.Out()
	for i := range r.Seats {
		if p.Rank(i) == 0 {
			v |= open << (i * r.Ranks)
		}
	}
	return v
}

// lift moves a value from the numbering of p's Canonical to the seats and ranks
// of p; ranks is the number of rank kinds that p has left to give. It has
// nothing for the seats that are ranked.
func lift(p *daifugo.Position, v Value, ranks int) Value {
	var out Value
	for i, seat := range unfinished(p) {
		out |= Value(v.at(i, ranks)) << (seat*p.Rules().Ranks + p.Out())
	}
	return out
}

// lower returns the inverse of lift.
func lower(p *daifugo.Position, v Value, ranks int) Value {
	var out Value
	for i, seat := range unfinished(p) {
		out |= Value(v.at(seat, p.Rules().Ranks)>>p.Out()) << (i * ranks)
	}
	return out
}

// unfinished yields the seats with cards, each behind its number in p's Canonical.
func unfinished(p *daifugo.Position) iter.Seq2[int, int] {
	return func(yield func(i, seat int) bool) {
		seats, seat := p.Rules().Seats, p.Turn()
		for i := 0; i < seats-p.Out(); {
			if p.Hand(seat) != 0 {
				if !yield(i, seat) {
					return
				}
				i++
			}
			if seat++; seat == seats {
				seat = 0
			}
		}
	}
}

// firstMove returns the value at which prune stops: the mover is first, and every other
// player can be anything but.
func firstMove(mover int, r daifugo.Rules) Value {
	v := Value(0).With(mover, 1, r.Ranks)
	for i := range r.Seats {
		if i != mover {
			v |= (1<<r.Ranks - 2) << (i * r.Ranks)
		}
	}
	return v
}
