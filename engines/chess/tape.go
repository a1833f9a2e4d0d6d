package chess

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// tape writes down replies, so that a game by the clock is checked on another machine.
func tape() *arena.Tape[Player] {
	return &arena.Tape[Player]{
		Note: func(p Player) (Player, func() []byte) {
			n := &noted{Player: p}
			return n, func() []byte { return n.text }
		},
		Read: func(text []byte) (Player, func() error) {
			r := &retold{text: text}
			return r, r.over
		},
	}
}

// noted is a player whose replies are written down.
type noted struct {
	Player
	text []byte
}

// Move implements Player.
func (n *noted) Move(v *View) Reply {
	r := n.Player.Move(v)
	n.text = r.append(n.text)
	return r
}

// What of a reply is written.
const (
	hasScore = 1 << iota
	hasFault
	hasDepth
	hasNodes
)

// mostSaid bounds what is kept of a player's own text, bytes, and mostSpent the time of a move,
// milliseconds.
const mostSaid, mostSpent = 200, 1 << 40

// append writes a reply behind others.
func (r *Reply) append(b []byte) []byte {
	flags := byte(0)
	for _, x := range []struct {
		flag byte
		has  bool
	}{{hasScore, r.Scored}, {hasFault, r.Fault != Open}, {hasDepth, r.Depth > 0}, {hasNodes, r.Nodes > 0}} {
		if x.has {
			flags |= x.flag
		}
	}
	b = append(b, flags)
	b = binary.AppendUvarint(b, uint64(max(r.Spent, 0)))
	if r.Fault != Open {
		said := strings.ToValidUTF8(r.Said[:min(len(r.Said), mostSaid)], "")
		b = append(b, byte(r.Fault), byte(len(said)))
		return append(b, said...)
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(r.Move))
	if r.Scored {
		b = binary.AppendVarint(b, int64(r.Score))
	}
	if r.Depth > 0 {
		b = binary.AppendUvarint(b, uint64(r.Depth))
	}
	if r.Nodes > 0 {
		b = binary.AppendUvarint(b, uint64(r.Nodes))
	}
	return b
}

// retold is a player that replies as it is written.
type retold struct {
	text []byte
	err  error
}

var errReplies = errors.New("what a player replied is garbled")

// Begin implements Player.
func (*retold) Begin(*View) error { return nil }

// End implements Player.
func (*retold) End(*View) {}

// Move implements Player.
func (p *retold) Move(v *View) Reply {
	if len(p.text) == 0 && p.err == nil {
		p.err = fmt.Errorf("the game goes on after ply %d, where nothing more is written", len(v.Line.Moves()))
	}
	r := p.next()
	if p.err != nil {
		return Reply{Fault: Crashed}
	}
	return r
}

// over returns an error if the game did not use exactly the recorded replies.
func (p *retold) over() error {
	if p.err == nil && len(p.text) > 0 {
		p.err = errors.New("more replies are written than the game took")
	}
	return p.err
}

// next reads a reply.
func (p *retold) next() (r Reply) {
	flags := p.byte()
	r.Spent = p.count(mostSpent)
	if flags&hasFault != 0 {
		r.Fault = Ending(p.byte())
		r.Said = strings.ToValidUTF8(string(p.bytes(int(p.byte()))), "")
		if r.Fault < Crashed || r.Fault > Garbled || flags != hasFault {
			p.err = errReplies
		}
		return r
	}
	if two := p.bytes(2); len(two) == 2 {
		r.Move = Move(binary.LittleEndian.Uint16(two))
	}
	if flags&hasScore != 0 {
		n, used := binary.Varint(p.text)
		if used <= 0 || n > Mate || n < -Mate {
			p.err = errReplies
			return r
		}
		r.Scored, r.Score, p.text = true, int(n), p.text[used:]
	}
	if flags&hasDepth != 0 {
		r.Depth = int(p.count(1 << 30))
	}
	if flags&hasNodes != 0 {
		r.Nodes = p.count(1 << 62)
	}
	return r
}

// byte reads one byte.
func (p *retold) byte() byte {
	if b := p.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// bytes reads so many bytes.
func (p *retold) bytes(n int) []byte {
	if n > len(p.text) {
		p.err = errReplies
		return nil
	}
	b := p.text[:n]
	p.text = p.text[n:]
	return b
}

// count reads a number from 0.
func (p *retold) count(most uint64) int64 {
	n, used := binary.Uvarint(p.text)
	if used <= 0 || n > most {
		p.err = errReplies
		return 0
	}
	p.text = p.text[used:]
	return int64(n)
}
