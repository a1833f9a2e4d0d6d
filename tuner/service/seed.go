package service

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Seed is a number of 64 bits without sign; as JSON it is read from a decimal
// text or a number, and written as a text.
type Seed uint64

// UnmarshalJSON implements json.Unmarshaler.
func (s *Seed) UnmarshalJSON(text []byte) error {
	var t string
	if json.Unmarshal(text, &t) != nil {
		t = string(text)
	}
	n, err := strconv.ParseUint(t, 10, 64)
	if err != nil {
		return errors.New("seed: expected a whole number from 0 to 18446744073709551615")
	}
	*s = Seed(n)
	return nil
}

// MarshalJSON implements json.Marshaler.
func (s Seed) MarshalJSON() ([]byte, error) {
	return strconv.AppendQuote(nil, strconv.FormatUint(uint64(s), 10)), nil
}
