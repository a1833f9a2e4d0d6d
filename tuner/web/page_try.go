package web

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"sakusen/engines/param"
	"sakusen/tuner/service"
	"sakusen/tuner/studyfile"
)

// tryPage has a study try a point that somebody typed.
func (s studyPages) tryPage(w http.ResponseWriter, r *http.Request) error {
	point := studyfile.ParsePoint(r.PostFormValue("point"))
	return s.actPage(func(studies *service.Studies, ctx context.Context, study string) error {
		_, err := studies.Try(ctx, study, point)
		return err
	})(w, r)
}

// try is the same by the API.
func (s studyAPI) try(w http.ResponseWriter, r *http.Request) error {
	n, err := name(r)
	if err != nil {
		return err
	}
	var given struct {
		Point map[string]any `json:"point"`
	}
	if err := read(r, &given); err != nil {
		return err
	}
	var point param.Values
	for _, key := range slices.Sorted(maps.Keys(given.Point)) {
		switch value := given.Point[key].(type) {
		case float64:
			point = append(point, param.Value{Name: key, Text: strconv.FormatFloat(value, 'f', -1, 64)})
		case string, bool:
			point = append(point, param.Value{Name: key, Text: fmt.Sprint(value)})
		default:
			return service.New(service.Invalid, fmt.Sprintf("point.%.80s: expected a number, a text, true or false", key))
		}
	}
	p, err := s.o.Service.Studies().Try(r.Context(), n, point)
	if err != nil {
		return err
	}
	write(w, http.StatusCreated, p)
	return nil
}
