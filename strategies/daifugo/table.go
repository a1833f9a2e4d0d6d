package daifugo

import (
	"fmt"
	"math/bits"

	"sakusen/engines/daifugo"
)

// place is where a position is kept in the table.
type place struct {
	key   uint64
	ranks int // rank kinds left to give, for CanonicalKey; 0 for PaperKey
}

func (s *searcher) place(p *daifugo.Position) place {
	if s.Key == PaperKey {
		return place{key: p.Key()}
	}
	c := p.Canonical()
	return place{key: c.Key(s.rules.Cards), ranks: s.rules.Ranks - p.Out()}
}

// keep is the value as the table stores it: without the ranked seats, and with
// CanonicalKey in the numbering that all positions of the key share.
func (s *searcher) keep(p *daifugo.Position, at place, v Value) Value {
	if at.ranks == 0 {
		return v
	}
	return lower(p, v, at.ranks)
}

// recall is the inverse of keep.
func (s *searcher) recall(p *daifugo.Position, at place, v Value) Value {
	if at.ranks == 0 {
		return v
	}
	return lift(p, v, at.ranks)
}

// Replace says which entry a bounded table gives up when no probed slot is
// free. The paper's own rule ("overwritten") does not say which.
type Replace string

// Rules of replacement.
const (
	ReplaceHome    Replace = "home"    // the first slot probed
	ReplaceLast    Replace = "last"    // the last slot probed
	replaceSmaller Replace = "smaller" // the probed entry with the fewest cards left, whose tree is the cheapest to search again
	replaceNever   Replace = "never"   // the new entry is not kept
)

// Replaces lists them.
func Replaces() []Replace {
	return []Replace{ReplaceHome, ReplaceLast, replaceSmaller, replaceNever}
}

// Limits of a bounded table.
const (
	PaperBits   = 20 // the paper's table: 2^20 entries
	PaperProbes = 16 // it looks at so many slots before it overwrites
	maxProbes   = 1024
	maxBits     = 28 // 2^28 slots of 24 bytes: 6 GiB
)

// rankingSolved marks, in place of plies, a value that holds to the end of the game.
const rankingSolved = -1

// slot is an entry; key 0 is a free one.
type slot struct {
	key   uint64
	value Value // of the seats that are unranked in the position
	plies int16 // solved, or how many plies were searched in vain
}

// table is a transposition table by open addressing: unbounded, where it
// doubles at three quarters full and forgets nothing, or bounded.
type table struct {
	slots   []slot
	used    int
	shift   uint
	probes  int // 0: unbounded
	replace Replace
	held    uint64 // the bits of a key that are cards
	hash    uint64 // odd factor whose product's high bits are a key's home
}

// golden is the factor unless another is asked for: 2^64 over the golden ratio.
const golden = 0x9e3779b97f4a7c15

// newTable has 2^size slots and looks at up to probes of them; size 0 asks for
// an unbounded one.
func newTable(size, probes int, replace Replace, held uint64) *table {
	t := &table{replace: replace, held: held, hash: golden}
	if size == 0 {
		t.resize(12)
		return t
	}
	t.probes = min(probes, 1<<size)
	t.resize(size)
	return t
}

// multiplier is the factor of a numbered hash function: golden for 0, the others
// as good as random (splitmix64).
func multiplier(number uint64) uint64 {
	if number == 0 {
		return golden
	}
	z := number * golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31 | 1
}

func (t *table) resize(size int) {
	old := t.slots
	t.slots = make([]slot, 1<<size)
	t.shift = uint(64 - size)
	for i := range old {
		if old[i].key != 0 {
			t.slots[t.find(old[i].key)] = old[i]
		}
	}
}

func (t *table) home(key uint64) int {
	return int(key * t.hash >> t.shift)
}

// find is the slot with the key, or the first free one; unbounded tables only.
func (t *table) find(key uint64) int {
	mask := len(t.slots) - 1
	i := t.home(key)
	for t.slots[i].key != 0 && t.slots[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

// get is the entry of a key, or nil.
func (t *table) get(key uint64) *slot {
	if t.probes == 0 {
		if s := &t.slots[t.find(key)]; s.key != 0 {
			return s
		}
		return nil
	}
	mask := len(t.slots) - 1
	i := t.home(key)
	for range t.probes {
		switch t.slots[i].key {
		case key:
			return &t.slots[i]
		case 0:
			return nil
		}
		i = (i + 1) & mask
	}
	return nil
}

// put stores an entry in place of an older one with its key.
func (t *table) put(e slot) {
	if t.probes == 0 {
		i := t.find(e.key)
		if t.slots[i].key == 0 {
			t.used++
		}
		t.slots[i] = e
		if t.used*4 > len(t.slots)*3 {
			t.resize(bits.Len(uint(len(t.slots))))
		}
		return
	}
	mask := len(t.slots) - 1
	home := t.home(e.key)
	i, smallest := home, home
	for n := range t.probes {
		i = (home + n) & mask
		if t.slots[i].key == 0 {
			t.used++
			t.slots[i] = e
			return
		}
		if t.slots[i].key == e.key {
			t.slots[i] = e
			return
		}
		if t.cards(i) < t.cards(smallest) {
			smallest = i
		}
	}
	switch t.replace {
	case ReplaceHome:
		t.slots[home] = e
	case ReplaceLast:
		t.slots[i] = e
	case replaceSmaller:
		t.slots[smallest] = e
	}
}

func (t *table) cards(i int) int { return bits.OnesCount64(t.slots[i].key & t.held) }

// checkTable says what is wrong with the size, the probes or the rule of a table.
func checkTable(size, probes int, replace Replace) error {
	if probes < 1 || probes > maxProbes {
		return fmt.Errorf("probes: expected 1 to %d slots, got %d", maxProbes, probes)
	}
	if size < 0 || size > maxBits {
		return fmt.Errorf("table bits: expected 0 (unbounded) to %d, got %d", maxBits, size)
	}
	for _, r := range Replaces() {
		if r == replace {
			return nil
		}
	}
	return fmt.Errorf("replacement: expected one of %v, got %q", Replaces(), replace)
}
