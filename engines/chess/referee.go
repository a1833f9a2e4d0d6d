package chess

import (
	"fmt"
	"strings"

	"sakusen/engines/arena"
)

// Began is the event of a game's start: the position, and the moves that were
// made before the players began.
type Began struct {
	Start   Position
	Opening []Move
	Limit   Limit
}

// Moved is the event of a move.
type Moved struct {
	Move     Move
	SAN      string
	Position Position // after it
	Reply    Reply    // with what the player told of it
}

// Ended is the event of a game's end.
type Ended struct {
	Position Position // its side to move has lost, where the ending decides
	Ending   Ending
	Said     string // by a player in its fault
}

// choosing is the purpose of the streams of the two seats.
const choosing arena.Purpose = 0

// The components that the referee counts, in their order; those of faults stand in
// the order of the endings from Illegal on.
const (
	pliesPlayed = iota
	faultsMade
	firstFault
	counted = firstFault + int(Garbled-illegal) + 1
)

// referee plays games.
type referee struct {
	rules   *Rules
	limit   Limit // of the game that is played, with its margin in milliseconds
	margin  int64
	line    Line
	view    [2]View
	chance  [2]arena.Stream
	history [2]history
	opening struct { // made last, for the other rotation of its block
		of    int64
		moves []Move
	}
}

func newReferee(r *Rules) *referee {
	ref := &referee{rules: r}
	ref.opening.of = -1
	for side := range ref.view {
		ref.view[side] = View{Line: &ref.line, Side: Color(side), Chance: &ref.chance[side]}
	}
	return ref
}

// Play implements arena.Referee. White sits in seat 0.
func (ref *referee) Play(fx *arena.Fixture, players []Player, out *arena.Outcome) (err error) {
	ref.begin(fx, out)
	for side, p := range players {
		ref.history[side] = history{}
		ref.chance[side] = fx.Stream(side, choosing)
		ref.view[side].Limit, ref.view[side].Clock = ref.limit, [2]int64{ref.limit.Clock, ref.limit.Clock}
		if err := p.Begin(&ref.view[side]); err != nil {
			for before := range side {
				players[before].End(&ref.view[before])
			}
			return err
		}
	}
	defer func() {
		for side, p := range players {
			p.End(&ref.view[side])
		}
	}()
	ending, said := ref.line.Ending(), ""
	for ending == Open {
		side := ref.line.now.turn
		reply := players[side].Move(&ref.view[side])
		if ending = ref.answer(side, &reply); ending != Open {
			said = reply.Said
			break
		}
		ref.move(fx, &reply, out)
		if ending = ref.line.Ending(); ending == Open {
			ending = ref.adjudicate(side, &reply)
		}
	}
	ref.end(fx, ending, said, out)
	return nil
}

// begin sets up the opening.
func (ref *referee) begin(fx *arena.Fixture, out *arena.Outcome) {
	l := ref.rules.thinking
	l.MoveTime, l.Clock, l.Increment = fx.Scaled(l.MoveTime), fx.Scaled(l.Clock), fx.Scaled(l.Increment)
	ref.limit, ref.margin = l, fx.Scaled(int64(ref.rules.margin))
	start := fx.Start()
	var moves []Move
	if len(ref.rules.positions) > 0 {
		ref.line.Reset(ref.rules.positions[start])
		if fx.Story != nil {
			fx.Story("position: " + ref.line.now.FEN())
		}
	} else {
		ref.line.Reset(Start())
		if ref.opening.of != start {
			ref.opening.of, ref.opening.moves = start, Opening(uint64(ref.rules.seed), uint64(start), ref.rules.plies)
		}
		moves = ref.opening.moves
	}
	out.Transcript.Add(ref.line.now.key)
	for _, m := range moves {
		if fx.Story != nil {
			fx.Story("opening: " + ref.numbered() + ref.line.now.SAN(m))
		}
		out.Transcript.Add(uint64(m))
		ref.line.Do(m)
	}
	if fx.Watch != nil {
		fx.Watch(Began{ref.line.start, append([]Move(nil), moves...), ref.limit})
	}
}

// numbered returns the number of the move to come, as "12. " or "12... ".
func (ref *referee) numbered() string {
	if ref.line.now.turn == White {
		return fmt.Sprintf("%d. ", ref.line.now.number)
	}
	return fmt.Sprintf("%d... ", ref.line.now.number)
}

// answer looks at a reply: Open where its move is legal and in time.
func (ref *referee) answer(side Color, reply *Reply) Ending {
	if reply.Fault != Open {
		return reply.Fault
	}
	if limit := ref.limit; limit.Clock > 0 {
		left := ref.view[side].Clock[side] - reply.Spent
		if left < -ref.margin {
			return OutOfTime
		}
		if ref.margin > 0 {
			left = max(left, 1)
		}
		for v := range ref.view {
			ref.view[v].Clock[side] = left + limit.Increment
		}
	}
	if !ref.line.IsLegal(reply.Move) {
		return illegal
	}
	return Open
}

// move makes a legal move and tells it.
func (ref *referee) move(fx *arena.Fixture, reply *Reply, out *arena.Outcome) {
	out.Transcript.Add(uint64(reply.Move))
	side := ref.line.now.turn
	out.Counts(int(side))[pliesPlayed]++
	san := ""
	if fx.Story != nil || fx.Watch != nil {
		san = ref.line.now.SAN(reply.Move)
	}
	if fx.Story != nil {
		fx.Story(ref.numbered() + san)
	}
	ref.line.Do(reply.Move)
	if fx.Watch != nil {
		fx.Watch(Moved{reply.Move, san, ref.line.now, *reply})
	}
}

// end gives the scores.
func (ref *referee) end(fx *arena.Fixture, ending Ending, said string, out *arena.Outcome) {
	out.Transcript.Add(uint64(ending) << 32)
	loser := int(ref.line.now.turn)
	if ending.Decided() {
		out.Win(1 - loser)
	} else {
		out.Share(func(int) bool { return true })
	}
	if ending.fault() {
		out.Faults[loser] = true
		out.Void = ref.rules.faults == "void"
		counts := out.Counts(loser)
		counts[faultsMade]++
		counts[firstFault+int(ending-illegal)]++
	}
	if fx.Story != nil {
		line := "a draw: " + ending.String()
		if ending.Decided() {
			line = fmt.Sprintf("%s wins: %s", Color(1-loser), ending)
		}
		if said != "" {
			line += fmt.Sprintf(" (%s)", said)
		}
		if out.Void {
			line += "; the block is void"
		}
		fx.Story(line)
	}
	if fx.Watch != nil {
		if out.Void {
			said = strings.TrimSpace(said + "; the block is void")
		}
		fx.Watch(Ended{ref.line.now, ending, said})
	}
}

// Below: adjudication, which ends games by what both players think of them and is off by
// default. It counts consecutive moves of a side; a move without a score restarts the
// count.

// history counts, for one side, its latest consecutive moves with a losing, a winning and
// an even score.
type history struct {
	losing, winning, even int
}

// note counts one more move of a side.
func (h *history) note(r *Rules, reply *Reply, quiet bool) {
	count := func(n *int, holds bool) {
		if *n++; !holds || !reply.Scored {
			*n = 0
		}
	}
	count(&h.losing, r.resign > 0 && reply.Score <= -r.resign)
	count(&h.winning, r.resign > 0 && reply.Score >= r.resign)
	count(&h.even, r.draw > 0 && reply.Score <= r.draw && reply.Score >= -r.draw && quiet)
}

// adjudicate ends the game by the rules of scores, if they say so, after a move. A side resigns only when it is to move, so the
// loser is always the side to move: its last moves had losing scores, and with resignBoth
// those of the other side winning ones.
func (ref *referee) adjudicate(moved Color, reply *Reply) Ending {
	r := ref.rules
	quiet := ref.line.now.quiet > 0
	ref.history[moved].note(r, reply, quiet)
	if !quiet {
		ref.history[moved^1].even = 0
	}
	loser := &ref.history[moved^1]
	if r.resign > 0 && loser.losing >= r.resignMoves && (!r.resignBoth || ref.history[moved].winning >= r.resignMoves) {
		return resigned
	}
	if r.draw > 0 && ref.line.now.number >= r.drawFrom && ref.history[0].even >= r.drawMoves && ref.history[1].even >= r.drawMoves {
		return agreed
	}
	if len(ref.line.moves) >= r.mostPlies {
		return tooLong
	}
	return Open
}
