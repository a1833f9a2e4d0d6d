package daifugo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
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

// keep returns the value as the table stores it: without the ranked seats, and with
// CanonicalKey in the numbering that all positions of the key share.
func (s *searcher) keep(p *daifugo.Position, at place, v Value) Value {
	if at.ranks == 0 {
		return v
	}
	return lower(p, v, at.ranks)
}

// recall returns the inverse of keep.
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
	plies int16 // solved, or how many plies were searched without a solution
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

// multiplier returns the factor of a numbered hash function: golden for 0, the others
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

// find returns the slot with the key, or the first free one; unbounded tables only.
func (t *table) find(key uint64) int {
	mask := len(t.slots) - 1
	i := t.home(key)
	for t.slots[i].key != 0 && t.slots[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

// get returns the entry of a key, or nil.
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

// checkTable returns an error that says what is wrong with the size, the probes or the rule of a table.
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

// magic begins a saved layer; its last digit is the version of the format.
const magic = "sakusen-daifugo-layer-1\n"

// header is what a saved layer says of itself, little-endian, after magic. The
// values follow, then the CRC-64 (ECMA) of everything before it.
type header struct {
	Seats, Kinds, Ranks, Word uint8
	Cards                     uint32 // cards left: the layer
	Entries                   uint64 // made in this and all lower layers
	Values                    uint64 // in this layer
}

// batch is the number of values converted at a time.
const batch = 1 << 15

// Save writes the layer held, so that Load can go on from it.
func (s *positionsSolver[W]) Save(w io.Writer) error {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	out := io.MultiWriter(w, sum)
	if _, err := io.WriteString(out, magic); err != nil {
		return err
	}
	h := header{
		Seats: uint8(s.Seats), Kinds: uint8(s.shape.Rules.Cards), Ranks: uint8(s.Ranks), Word: uint8(wordBytes(s.Rules())),
		Cards: uint32(s.cards), Entries: s.entries, Values: uint64(len(s.values)),
	}
	if err := binary.Write(out, binary.LittleEndian, h); err != nil {
		return err
	}
	for at := 0; at < len(s.values); at += batch {
		if err := binary.Write(out, binary.LittleEndian, s.values[at:min(at+batch, len(s.values))]); err != nil {
			return err
		}
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum64())
}

// LoadInto puts a saved layer into a Solver that has not begun. What does not fit its rules,
// or is damaged, is an error.
func LoadInto(s Solver, in io.Reader) error {
	if err := s.load(in); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("expected more data: the file is cut short")
		}
		return fmt.Errorf("saved layer: %w", err)
	}
	return nil
}

func (s *positionsSolver[W]) load(in io.Reader) error {
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	all := io.TeeReader(in, sum)
	var start [len(magic)]byte
	if _, err := io.ReadFull(all, start[:]); err != nil {
		return err
	}
	if string(start[:]) != magic {
		return fmt.Errorf("expected a file that begins with %q, got %q", magic, start[:])
	}
	var h header
	if err := binary.Read(all, binary.LittleEndian, &h); err != nil {
		return err
	}
	r := s.Rules()
	if got := (daifugo.Rules{Seats: int(h.Seats), Cards: int(h.Kinds), Ranks: int(h.Ranks)}); got != r || int(h.Word) != wordBytes(r) {
		return fmt.Errorf("expected a layer of %+v, got one of %+v", r, got)
	}
	if h.Cards < 1 || int(h.Cards) > Top(r) || h.Values != entries(r, int(h.Cards)) {
		return fmt.Errorf("expected a layer of 1 to %d cards with its number of values, got %d cards and %d values", Top(r), h.Cards, h.Values)
	}
	s.cards, s.entries = int(h.Cards), h.Entries
	s.held = newLayout(r, s.cards)
	s.values = s.room(s.cards, h.Values)
	for at := 0; at < len(s.values); at += batch {
		if err := binary.Read(all, binary.LittleEndian, s.values[at:min(at+batch, len(s.values))]); err != nil {
			return err
		}
	}
	want := sum.Sum64()
	var got uint64
	if err := binary.Read(in, binary.LittleEndian, &got); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("expected checksum %016x, got %016x: the file is damaged", want, got)
	}
	return nil
}
