package battleship

import (
	"sakusen/engines/arena"
	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// Model is the attack OM, which models where people put their ships. It assumes one of several
// placements, R, ED1, ED2, PK and their separated forms, weighs each by how well the answers so
// far agree with it, and shoots at the square that most likely holds a ship.
//
//	rules.Entrant("model")                      // OM
//	rules.Entrant("model(weight.packed=0)")     // one that never packs
//
// # Belief
//
// Let Nc(K) be the number of placements of component c that agree with the
// answers K. Each component draws its placements evenly, so by Bayes the
// belief in it is in proportion to its prior times Nc(K) / Nc(nothing), and the
// probability of a hit is the mean of the components' under that belief:
//
//	P(s) = sum of belief(c) Nc(K, ship on s) / Nc(K)
//
// R, ED1 and ED2 are counted exactly, as if all squares outside their area had
// been missed (package count). Their separated forms are counted so too, the
// squares beside sunk ships missed as well. That ships afloat may touch each
// other in that count is made up for in Nc by the power of the share of
// separated placements that their pairs have in all pairs of the fleet. Hits
// that touch a settled ship, and sinkings that leave its place open, rule the
// separated forms out. PK has no closed form: it is a sample of fixed size,
// drawn once with a fixed key, that is believed as long as enough of it agrees;
// R always is, so there is something to believe in. With more than five ships
// or so, where not all placements can be counted, R is all that is believed in.
//
// # One game at a time
//
// Nothing is carried from one game to the next: a block's result must not
// depend on the games that its worker has played before. What is learnt over
// games is the prior, the weights, which are parameters for a study to find.
//
// Source: ours. Opponent models are what M. Sakuta and H. Iida, "Evaluation of
// Attacking and Placing Strategies in a Classic Battleship Game without
// Considering Opponent Models", 2002, left for later (section 7).

// modelled returns the strategy's entry in the catalogue. Players with the same
// prior share their decision tree.
func modelled() arena.Strategy[battleship.Rules, battleship.Player] {
	treePool := &treePool{}
	return arena.Strategy[battleship.Rules, battleship.Player]{
		Name:   "model",
		Doc:    "Like exact, but guesses from the answers how the enemy places its fleet (OM).",
		Source: "ours, after Sakuta and Iida 2002, section 7",
		New: func(f *param.Fields, r *battleship.Rules) arena.Maker[battleship.Player] {
			var prior prior
			var keep keep
			prior.declare(f)
			keep.declare(f, 30, 24)
			return placing(f, r, func(p *fleetPlacer) (battleship.Player, error) {
				mix, err := newMixture(r, &prior, keep.Forms)
				return &modelPlayer{p, keep.walk(treePool, key(r, prior, keep.Forms)), mix}, err
			})
		},
		Sign: param.Values{{Name: "samples", Text: "200"}},
	}
}

// prior is the belief before the first shot.
type prior struct {
	edge1, edge2, packed float64 // weights, that of placements anywhere being 1
	separated            float64 // share of each that is separated
	samples              int     // of each form of packed
}

func (p *prior) declare(f *param.Fields) {
	f.Group("weight", func(f *param.Fields) {
		f.Float(&p.edge1, "edge1", 0.002, param.Log(1e-6, 100), "prior weight of placements along the edge, that of placements anywhere being 1")
		f.Float(&p.edge2, "edge2", 0.002, param.Log(1e-6, 100), "prior weight of placements on the two outer rings, that of placements anywhere being 1")
		f.Float(&p.packed, "packed", 0.002, param.Log(1e-6, 100), "prior weight of placements packed into a rectangle, that of placements anywhere being 1")
	})
	f.Float(&p.separated, "separated", 0.02, param.Log(1e-6, 0.999), "share of each kind of placement that keeps its ships apart")
	f.Int(&p.samples, "samples", 5000, param.Range(0, 100_000), "placements drawn of each form of packed, placements", param.Fixed())
}

type modelPlayer struct {
	*fleetPlacer
	walk    *walk
	mixture *mixture
}

func (p *modelPlayer) Aim(*battleship.View) { p.walk.Reset() }

func (p *modelPlayer) Shoot(v *battleship.View) battleship.Square {
	d := p.walk.next(v.Knowledge, p.mixture)
	v.Visit(0, d.Work)
	return d.At
}

// least is the placements of a sample that have to agree for it to be believed. Fewer say
// nothing about the share of all that agree. With one of 2 000 the weight is wrong by orders of
// magnitude, which cost 0.5 shots against R at a prior of one in a thousand.
const least = 25

// sample is a component known by placements drawn from it.
type sample struct {
	fleet  *battleship.Fleet
	n      int
	covers []battleship.Set // by placement
	lines  []battleship.Set // by placement and ship
	hits   [battleship.MaxSquares]int
}

func newSample(r *battleship.Rules, p *fleetPlacer, n int) *sample {
	s := &sample{fleet: r.Fleet(), n: n}
	chance := arena.NewStream(uint64(n), 0x504b)
	fleet := make([]battleship.Placement, s.fleet.Ships())
	for range n {
		p.Place(&chance, fleet)
		var all battleship.Set
		for _, at := range fleet {
			line := r.Board().Covers(s.fleet, at)
			s.lines = append(s.lines, line)
			all = all.Or(line)
		}
		s.covers = append(s.covers, all)
	}
	return s
}

// weigh implements component.
func (s *sample) weigh(k *battleship.Knowledge, share *[battleship.MaxSquares]float64) (agree float64, work uint64) {
	unshot, hits, misses := k.Unshot(), k.Hits(), k.Misses()
	for at := range unshot.All() {
		s.hits[at] = 0
	}
	found := 0
	ships := s.fleet.Ships()
	for i, all := range s.covers {
		if all.Meets(misses) || !hits.Within(all) || !s.agrees(k, s.lines[i*ships:(i+1)*ships], hits) {
			continue
		}
		found++
		for at := range all.AndNot(hits).All() {
			s.hits[at]++
		}
	}
	if found < least {
		return 0, uint64(found)
	}
	for at := range unshot.All() {
		share[at] = float64(s.hits[at]) / float64(found)
	}
	return float64(found) / float64(s.n), uint64(found)
}

// agrees reports whether ships that lie so would have sunk as they did: the
// ship on a square that sank one is of that class and was hit all over then,
// and no other is.
func (s *sample) agrees(k *battleship.Knowledge, lines []battleship.Set, hits battleship.Set) bool {
	sunk := 0
	for ship, line := range lines {
		if line.Within(hits) {
			sunk |= 1 << ship
		}
	}
	for i := range k.Sinkings() {
		sinking := k.Sinking(i)
		ok := false
		for ship, line := range lines {
			if line.Has(sinking.At) {
				ok = s.fleet.Alike(ship) == s.fleet.Alike(sinking.Ship) && line.Within(sinking.Hits)
				sunk &^= 1 << ship
				break
			}
		}
		if !ok {
			return false
		}
	}
	return sunk == 0
}
