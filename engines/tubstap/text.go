package tubstap

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// Text is a text of a map, a record or a peer in UTF-8, in which the protocol and the
// records are. Old maps are Shift_JIS, which is read where a text is no UTF-8; bytes that
// are neither become the replacement character.
func Text(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	if read, err := japanese.ShiftJIS.NewDecoder().String(text); err == nil && !strings.ContainsRune(read, utf8.RuneError) {
		return read
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError))
}
