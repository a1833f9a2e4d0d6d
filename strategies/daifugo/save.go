package daifugo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc64"
	"io"

	"sakusen/engines/daifugo"
)

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
