package tubstap

import "fmt"

// Watch hears of a recorded game as it is replayed; either function may be nil.
// The state must not be changed, and is another at the next call.
type Watch struct {
	Turn func(s *State)            // a turn begins
	Step func(s *State, step Step) // a step is about to be done
}

// Replay plays the record from its map under strict legality and returns the
// state it leads to. Damage and counter must be those of the rules; an error
// names the turn and the action.
func (r *ReplayFile) Replay(rules Rules) (*State, error) { return r.Tell(rules, Watch{}) }

// Tell is Replay with somebody watching.
func (r *ReplayFile) Tell(rules Rules, w Watch) (*State, error) {
	s := r.start(rules)
	for _, t := range r.Turns {
		if t.Index != s.counter || t.Team != s.mover {
			return nil, fmt.Errorf("turn %d of %v: %v is to move in turn %d", t.Index, t.Team, s.mover, s.counter)
		}
		if s.Over() {
			return nil, fmt.Errorf("turn %d: the game is over before it", t.Index)
		}
		if w.Turn != nil {
			w.Turn(s)
		}
		for i, step := range t.Steps {
			if err := s.replayStep(step, w.Step); err != nil {
				return nil, fmt.Errorf("turn %d, action %d: %w", t.Index, i, err)
			}
		}
		if !s.TurnDone() {
			return nil, fmt.Errorf("turn %d: %d units have not acted", t.Index, s.unmoved[s.mover])
		}
		s.EndTurn()
	}
	return s, nil
}

func (s *State) replayStep(step Step, watch func(*State, Step)) error {
	var a Action
	if step.Type != TypeResign && step.Type != TypeTurnEnd {
		var err error
		if a, err = step.Action(); err != nil {
			return err
		}
		if err := s.Check(a); err != nil {
			return err
		}
		if want := s.StepOf(a); step != want {
			return fmt.Errorf("recorded as %s, the rules say %s", step.AppendText(nil), want.AppendText(nil))
		}
	}
	if watch != nil {
		watch(s, step)
	}
	switch step.Type {
	case TypeResign:
		s.resign()
	case TypeTurnEnd:
		s.StayAll()
	default:
		s.Do(a)
	}
	return nil
}

// start is the state before the first turn of the record.
func (r *ReplayFile) start(rules Rules) *State {
	if len(r.Turns) == 0 {
		return r.Map.Start(rules)
	}
	return NewState(r.Map, rules, r.Map.Units, r.Turns[0].Team, r.Turns[0].Index)
}
