package battleship

import (
	"regexp"
	"strings"

	"sakusen/engines/param"
)

var (
	mpName     = regexp.MustCompile(`^MP([0-9]+)$`)
	laName     = regexp.MustCompile(`^LA([0-9]+)\.([0-9]+)\.([0-9]+)$`)
	packedName = regexp.MustCompile(`^PK(SP)?([0-9]+)[Xx]([0-9]+)(SP)?$`)
)

// paperName reads a name of the paper, ATTACK or ATTACK/PLACE. Attacks are R,
// RNB, CB, MPx, LAx.y.z and, not in the paper, EX (exact from the first shot),
// EX+ (exact with foresight) and OM (with an opponent model).
// Places are R (taken where none is given), ED1, ED2 and PKxXy, each with SP
// behind it for separated ships; the paper's own PKSPxXy is read too.
func paperName(text string) (strategy string, values param.Values, ok bool) {
	attack, place, hasPlace := strings.Cut(text, "/")
	if strategy, values, ok = attackName(attack); !ok {
		return "", nil, false
	}
	if !hasPlace {
		return strategy, values, true
	}
	where, ok := placeName(place)
	if !ok {
		return "", nil, false
	}
	return strategy, append(values, where...), true
}

// paperNames is the grammar of [PaperName] for people.
const paperNames = "ATTACK or ATTACK/PLACE, such as MP70/ED2SP; ATTACK is R, RNB, CB, MPx (mp from x unknown squares on), " +
	"LAx.y.z (lookahead of x shots, y of them kept, from z squares on), EX, EX+ or OM; PLACE is R, ED1, ED2 or PKxXy " +
	"(packed into x times y squares), each with SP behind it where ships do not touch"

func attackName(text string) (strategy string, values param.Values, ok bool) {
	switch text {
	case "R":
		return "random", nil, true
	case "RNB":
		return "neighbour", nil, true
	case "CB":
		return "checkerboard", nil, true
	case "EX":
		return "exact", nil, true
	case "EX+":
		return "foresight", nil, true
	case "OM":
		return "model", nil, true
	}
	if m := mpName.FindStringSubmatch(text); m != nil {
		return "mp", param.Values{{Name: "start_squares", Text: m[1]}}, true
	}
	if m := laName.FindStringSubmatch(text); m != nil {
		return "lookahead", param.Values{
			{Name: "shots", Text: m[1]}, {Name: "kept", Text: m[2]}, {Name: "start_squares", Text: m[3]},
		}, true
	}
	return "", nil, false
}

func placeName(text string) (param.Values, bool) {
	separated := "false"
	kind, isSeparated := strings.CutSuffix(text, "SP")
	if isSeparated {
		separated = "true"
	}
	var size param.Values
	switch kind {
	case "R":
		kind = "random"
	case "ED1":
		kind = "edge1"
	case "ED2":
		kind = "edge2"
	default:
		m := packedName.FindStringSubmatch(text)
		if m == nil || m[1] != "" && m[4] != "" {
			return nil, false
		}
		kind = "packed"
		if m[1] != "" {
			separated = "true"
		}
		size = param.Values{{Name: "place.height", Text: m[2]}, {Name: "place.width", Text: m[3]}}
	}
	values := append(param.Values{{Name: "place.kind", Text: kind}}, size...)
	return append(values, param.Value{Name: "place.separated", Text: separated}), true
}
