package films

import (
	"errors"
	"strings"

	"sakusen/tuner/service"
)

// refusal is a problem with everything that is wrong, each cut to a length that
// a page can show.
func refusal(errs []error) error {
	var all []string
	for line := range strings.SplitSeq(errors.Join(errs...).Error(), "\n") {
		all = append(all, clipped(line))
	}
	return service.New(service.Invalid, "the game cannot be shown", all...)
}

// clipped is a line of at most so many bytes that people read it.
func clipped(line string) string {
	const most = 500
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
