package service

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MostNote is the longest note about a study, bytes.
const MostNote = 10000

// SetNote writes about a study, in place of what was written before.
func (t *Studies) SetNote(ctx context.Context, name, text string) error {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	bad := func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }
	if len(text) > MostNote || !utf8.ValidString(text) || strings.ContainsFunc(text, bad) {
		return New(Invalid, fmt.Sprintf("note: expected a text of at most %d bytes without control characters", MostNote))
	}
	d, err := FindStudy(ctx, t.s.store, name)
	if err != nil {
		return err
	}
	return t.s.store.Study(d.ID).SetNote(ctx, text)
}
