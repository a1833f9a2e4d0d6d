package battleship

import "sakusen/engines/arena"

// party is one seat: its fleet, and what its shooting has come to.
type party struct {
	fleet []Placement
	ship  [MaxSquares]uint8 // ship on each square, counted from 1; 0 is water

	view      View
	knowledge Knowledge
	fired     int // legal shots
	struck    int // hits among them
	shots     [MaxSquares]Square
	answers   [MaxSquares]Answer
	hitAt     [MaxSquares]uint8 // the number of the shot of each hit, less 1
	end       int               // number of the shot that sank the fleet, or was illegal
	illegal   bool
}

// put takes the fleet as placed and reports whether it is legal.
func (s *party) put(r *Rules) bool {
	clear(s.ship[:])
	squares := r.board.Squares()
	for i, p := range s.fleet {
		if p.Ship != i || int(p.Start) >= squares {
			return false
		}
		length := r.fleet.Length(i)
		if !r.board.fits(p.Start, length, p.Vertical) {
			return false
		}
		step := 1
		if p.Vertical {
			step = r.board.width
		}
		at := int(p.Start)
		for range length {
			if s.ship[at&(MaxSquares-1)] != 0 {
				return false
			}
			s.ship[at&(MaxSquares-1)] = uint8(i + 1)
			at += step
		}
	}
	return true
}

// attack lets a player shoot at the enemy's fleet until it is sunk, or until
// the player makes an illegal shot. watch, unless nil, is shown the shots of
// the seat.
func (s *party) attack(r *Rules, p Player, enemy *party, t *arena.Transcript, seat int, watch func(event any)) {
	s.knowledge.Reset(r.board, r.fleet)
	s.view.work, s.fired, s.struck, s.illegal = 0, 0, 0, false
	left := r.fleet.lengths
	p.Aim(&s.view)
	for afloat := r.fleet.count; afloat > 0; {
		at := p.Shoot(&s.view)
		if int(at) >= r.board.Squares() || s.knowledge.shot.Has(at) {
			s.illegal, s.end = true, s.fired+1
			if watch != nil {
				watch(Shot{Seat: seat, Turn: s.end, At: at, Illegal: true})
			}
			return
		}
		answer := Miss
		if ship := int(enemy.ship[at]); ship != 0 {
			ship--
			answer = Hit
			if left[ship]--; left[ship] == 0 {
				answer = Sunk(int(r.fleet.alike[ship]))
				afloat--
			}
			s.hitAt[s.struck] = uint8(s.fired)
			s.struck++
		}
		s.knowledge.Record(at, answer)
		s.shots[s.fired], s.answers[s.fired] = at, answer
		s.fired++
		t.Add(uint64(at)<<8 | uint64(answer))
		if watch != nil {
			watch(Shot{Seat: seat, Turn: s.fired, At: at, Answer: answer})
		}
	}
	s.end = s.fired
}

// hits is the number of hits among the first n shots.
func (s *party) hits(n int) int64 {
	count := s.struck
	for count > 0 && int(s.hitAt[count-1]) >= n {
		count--
	}
	return int64(count)
}
