package web

import (
	"errors"
	"fmt"
	"net/http"

	"sakusen/tuner/service"
)

// detailMost is the largest page of runs with all their games: a run may have
// thousands.
const detailMost = 20

// blocks lists the stored blocks of a study's game and seeds, a page at a time.
func (s writerAPI) blocks(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	after, err2 := query(r, "after", 0, 0, mostKey)
	detail := r.URL.Query().Get("detail")
	most, usual := pageMost, pageDefault
	if detail == "true" {
		most, usual = detailMost, detailMost
	}
	limit, err3 := query(r, "limit", usual, 1, most)
	if err = errors.Join(err, err2, err3); err == nil && detail != "" && detail != "true" && detail != "false" {
		err = service.New(service.Invalid, fmt.Sprintf("detail: expected true or false, got %.40q", detail))
	}
	if err != nil {
		return err
	}
	list, err := s.o.Service.Blocks().Page(r.Context(), n, int64(after), limit, detail == "true")
	if err != nil {
		return err
	}
	var next *int64
	if len(list) == limit {
		next = &list[len(list)-1].ID
	}
	write(w, http.StatusOK, map[string]any{"blocks": list, "next": next})
	return nil
}

// saveBlocks stores blocks of a match. Blocks of the phases of a study are refused: a study
// counts only what this server has played.
func (s writerAPI) saveBlocks(w http.ResponseWriter, r *http.Request) error {
	var given service.PlayedBlocks
	err := firstOf(read(r, &given), label("game", given.Game, 1, 100), label("rules", given.Rules, 1, 200), label("signatures", given.Signatures, 1, 20000))
	if err == nil {
		err = given.Check()
	}
	for _, e := range given.Entrants {
		err = firstOf(err, label("entrants", e, 1, 200))
	}
	if err == nil {
		err = s.o.Service.Blocks().Save(r.Context(), given)
	}
	return reply(w, map[string]int{"blocks": given.Blocks}, err)
}
