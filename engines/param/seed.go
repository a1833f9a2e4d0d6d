package param

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// Seed is where chance begins: 64 bits, written as a decimal number everywhere.
// In JSON it is a text, because many readers of JSON keep 53 bits of a number;
// it is read from either. A pointer to it is the value of a flag.
type Seed uint64

// ParseSeed reads a decimal number from 0 to 2^64-1.
func ParseSeed(text string) (Seed, error) {
	n, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("expected an integer of at most 64 bits (18446744073709551615), got %.40q", text)
	case err != nil:
		return 0, fmt.Errorf("expected an integer from 0, got %.40q", text)
	}
	return Seed(n), nil
}

// String is the decimal number.
func (s Seed) String() string { return strconv.FormatUint(uint64(s), 10) }

// MarshalText implements encoding.TextMarshaler.
func (s Seed) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Seed) UnmarshalText(text []byte) error { return s.Set(string(text)) }

// UnmarshalJSON reads a text or a number.
func (s *Seed) UnmarshalJSON(raw []byte) error {
	text := string(raw)
	if json.Unmarshal(raw, &text) != nil {
		text = string(raw)
	}
	if err := s.Set(text); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}

// Set reads a flag's value.
func (s *Seed) Set(text string) (err error) {
	read, err := ParseSeed(text)
	if err == nil {
		*s = read
	}
	return err
}

// Type is what the help of a command calls a flag's value.
func (s *Seed) Type() string { return "uint" }
