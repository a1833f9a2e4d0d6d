package arena

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// Tape writes down what the players of a game by the clock answer, so that another machine can
// check the game: its referee plays it once more from what is written.
type Tape[P any] struct {
	// Note returns a player that answers as another does, and the text of what it has
	// answered so far.
	Note func(player P) (noted P, text func() []byte)
	// Read returns a player that answers as a text of Note says. left returns an error where
	// the text is no such text, or where the game was asked for more or fewer answers.
	Read func(text []byte) (player P, left func() error)
}

// Bounds of a tape, bytes: as it is stored and sent, and what it may be unpacked to.
const (
	MostTape     = 64 << 10
	mostUnpacked = 1 << 20
)

// Bounds of the factor by which a machine's clocks may differ from those of the rules.
const leastScale, mostScale = .25, 4

// scaleUnit is what the factor of the clocks is written in.
const scaleUnit = 1e6

// roundScale returns a factor of the clocks as it is written in tapes, held between its bounds.
func roundScale(scale float64) float64 {
	return math.Round(min(max(scale, leastScale), mostScale)*scaleUnit) / scaleUnit
}

// packTape returns what players have answered in a game whose clocks were scaled: the factor, the
// texts of the seats, compressed.
func packTape(scale float64, texts [][]byte) ([]byte, error) {
	raw := binary.AppendUvarint(nil, uint64(math.Round(scale*scaleUnit)))
	for _, text := range texts {
		raw = append(binary.AppendUvarint(raw, uint64(len(text))), text...)
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil && b.Len() > MostTape {
		err = fmt.Errorf("the answers of a game take %d bytes, expected at most %d", b.Len(), MostTape)
	}
	return b.Bytes(), err
}

var errTape = errors.New("the answers of a game are garbled")

// unpackTape reads what packTape has written; the input may be anything.
func unpackTape(tape []byte, seats int) (scale float64, texts [][]byte, err error) {
	if len(tape) > MostTape {
		return 0, nil, errTape
	}
	raw, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(tape)), mostUnpacked+1))
	if err != nil || len(raw) > mostUnpacked {
		return 0, nil, errTape
	}
	unit, n := binary.Uvarint(raw)
	if n <= 0 || unit > mostScale*scaleUnit || float64(unit) < leastScale*scaleUnit {
		return 0, nil, errTape
	}
	scale, raw = float64(unit)/scaleUnit, raw[n:]
	for range seats {
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return 0, nil, errTape
		}
		texts, raw = append(texts, raw[n:n+int(size)]), raw[n+int(size):]
	}
	if len(raw) > 0 {
		return 0, nil, errTape
	}
	return scale, texts, nil
}

// TapeScale returns the factor by which the clocks of a noted game were scaled.
func TapeScale(tape []byte) (float64, error) {
	var head [8]byte
	n, err := io.ReadFull(flate.NewReader(bytes.NewReader(tape)), head[:])
	unit, used := binary.Uvarint(head[:n])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || used <= 0 {
		return 0, errTape
	}
	return float64(unit) / scaleUnit, nil
}

// Taped reports whether games under these rules can be checked from what their players answered.
func (rs *Ruleset) Taped() bool { return rs.replayTapes != nil }

// ReplayTapes plays n blocks of a series once more from the tapes of their games, and returns what
// comes out: what the rules say of these answers. An error says that they are no games of
// these blocks. Watch of the series sees them.
func (s *Series) ReplayTapes(from int64, n int, tapes [][]byte) (run *Run, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	if !s.Ruleset.Taped() {
		return nil, fmt.Errorf("games of %s are not noted", s.Ruleset.Game.Name)
	}
	defer func() {
		if v := recover(); v != nil {
			run, err = nil, fmt.Errorf("blocks from %d: %w: %v", from, errTape, v)
		}
	}()
	return s.Ruleset.replayTapes(s, from, n, tapes)
}

// replayTapes does what Series.ReplayTapes does, for players of one type.
func (t *typedTable[P]) replayTapes(s *Series, from int64, n int, tapes [][]byte) (*Run, error) {
	run := NewRun(s.Ruleset.Seats, len(s.Ruleset.Components), t.rotations(), from, n)
	if len(tapes) != n*run.Rotations {
		return nil, fmt.Errorf("expected what was answered in %d games, got %d", n*run.Rotations, len(tapes))
	}
	for i, tape := range tapes {
		block, rotation := from+int64(i/run.Rotations), i%run.Rotations
		if err := t.retellGame(s, run, block, rotation, tape); err != nil {
			return nil, fmt.Errorf("block %d, game %d: %w", block, rotation, err)
		}
		if rotation == run.Rotations-1 {
			if t.voided {
				run.voidLast(t.void)
			}
			t.voided = false
			run.Blocks++
		}
	}
	run.Tapes = tapes
	return run, nil
}

// retellGame appends one game to the run.
func (t *typedTable[P]) retellGame(s *Series, run *Run, block int64, rotation int, tape []byte) error {
	scale, texts, err := unpackTape(tape, s.Ruleset.Seats)
	if err != nil {
		return err
	}
	fx := &Fixture{Seed: s.Seed, Phase: s.Phase, Block: block, Rotation: rotation, Starts: s.Ruleset.Starts, Scale: scale}
	if s.Watch != nil {
		fx.Watch = s.Watch(block, rotation)
	}
	left := make([]func() error, len(texts))
	for seat, text := range texts {
		t.seated[seat], left[seat] = t.tape.Read(text)
	}
	t.out.reset()
	if err := t.referee.Play(fx, t.seated, t.out); err != nil {
		return err
	}
	for seat := range left {
		if err := left[seat](); err != nil {
			return fmt.Errorf("seat %d: %w", seat, err)
		}
	}
	run.add(t.out)
	t.voided = t.voided || t.out.Void
	return nil
}

// note has what the seated players answer written down; the function that it returns appends
// the text to the run.
func (t *typedTable[P]) note(fx *Fixture) func(*Run) error {
	texts := make([]func() []byte, len(t.seated))
	for seat, p := range t.seated {
		t.seated[seat], texts[seat] = t.tape.Note(p)
	}
	return func(run *Run) error {
		all := make([][]byte, len(texts))
		for seat := range texts {
			all[seat] = texts[seat]()
		}
		tape, err := packTape(fx.scale(), all)
		run.Tapes = append(run.Tapes, tape)
		return err
	}
}
