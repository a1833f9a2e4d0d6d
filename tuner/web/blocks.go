package web

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
)

// detailMost is the largest page of runs with all their games: a run may have
// thousands.
const detailMost = 20

// blocks lists the stored blocks of a study's game and seeds, a page at a time.
func (s *Server) blocks(w http.ResponseWriter, r *http.Request) {
	n, err := name(r)
	after, err2 := query(r, "after", 0, 0, mostKey)
	detail := r.URL.Query().Get("detail")
	most, usual := pageMost, pageDefault
	if detail == "true" {
		most, usual = detailMost, detailMost
	}
	limit, err3 := query(r, "limit", usual, 1, most)
	if err = errors.Join(err, err2, err3); err == nil && detail != "" && detail != "true" && detail != "false" {
		err = problem(http.StatusBadRequest, fmt.Sprintf("detail: expected true or false, got %.40q", detail))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	list, err := s.o.Writer.Blocks(r.Context(), n, int64(after), limit, detail == "true")
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var next *int64
	if len(list) == limit {
		next = &list[len(list)-1].ID
	}
	write(w, http.StatusOK, map[string]any{"blocks": list, "next": next})
}

// saveBlocks keeps blocks of a match. Those of the phases of studies are not
// taken: what a study counts, this server has played.
func (s *Server) saveBlocks(w http.ResponseWriter, r *http.Request) {
	var given PlayedBlocks
	err := firstOf(read(r, &given), label("game", given.Game, 1, 100), label("rules", given.Rules, 1, 200), label("signatures", given.Signatures, 1, 20000))
	if err == nil {
		err = given.check()
	}
	for _, e := range given.Entrants {
		err = firstOf(err, label("entrants", e, 1, 200))
	}
	if err == nil {
		err = s.o.Writer.SaveBlocks(r.Context(), given)
	}
	s.reply(w, r, map[string]int{"blocks": given.Blocks}, err)
}

// check says what is wrong with the numbers.
func (p *PlayedBlocks) check() error {
	bad := func(format string, args ...any) error {
		return problem(http.StatusBadRequest, fmt.Sprintf(format, args...))
	}
	if _, err := strconv.ParseUint(p.Seed, 10, 64); err != nil {
		return bad("seed: expected an integer from 0 to 2^64-1 as a text, got %.40q", p.Seed)
	}
	if p.Blocks < 1 || p.Blocks > 1<<20 || p.From < 0 || p.From > 1<<40 {
		return bad("from, blocks: expected at least one block, of a number from 0 to 2^40, got %d from %d", p.Blocks, p.From)
	}
	if p.Seats < 1 || p.Seats > 64 || len(p.Entrants) != p.Seats {
		return bad("seats, entrants: expected 1 to 64 and as many entrants, got %d and %d", p.Seats, len(p.Entrants))
	}
	if p.Components < 0 || p.Components > 1024 || p.Rotations != 1 && p.Rotations != p.Seats {
		return bad("components, rotations: expected up to 1024, and 1 or as many as seats, got %d and %d", p.Components, p.Rotations)
	}
	games := p.Blocks * p.Rotations
	if values := games * p.Seats * (2 + p.Components); len(p.Digests) != games || len(p.Values) != values {
		return bad("digests, values: expected %d and %d, got %d and %d", games, values, len(p.Digests), len(p.Values))
	}
	for _, d := range p.Digests {
		if _, err := strconv.ParseUint(d, 10, 64); err != nil {
			return bad("digests: expected integers from 0 to 2^64-1 as texts, got %.40q", d)
		}
	}
	return nil
}
