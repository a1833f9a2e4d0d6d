package daifugo

import (
	"fmt"

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

// deepens tells whether the method searches by iterative deepening.
func (m Method) deepens() bool { return m == pruneID || m == pruneTI }

// Remembers tells whether the method has a transposition table.
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
	// Open also stops where somebody is ranked and the mover gets the best rank
	// still open, and everybody else can be anything below it.
	Open bool
	// Interior uses what iterative deepening knows before the end of the game: the ranks
	// already given bound what an unknown child can be, and a child that a known one drops
	// in any case is not searched deeper.
	Interior bool
}

// PaperLimit is 2^23 nodes, above which the tables print "over". (Section 4.2
// says 2^20, which the tables contradict.)
const PaperLimit = 1 << 23

// Validate says which option is wrong.
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

// rest is the union of the children that may be kept, and whether any of them is unknown;
// if none is, it is the node's value. Let m be the smallest worst rank that any child is
// sure of. A child is certainly dropped when it is sure to be worse than m, or when it is
// sure to be no better than m while a known child with more than one rank ends in m. A
// dropped child drops only children that the one which dropped it drops too.
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
