package battleship

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"sakusen/engines/battleship"
	"sakusen/engines/param"
)

// A setting is a line that has been read and makes sense shot by shot.
type setting struct {
	board    *battleship.Board
	fleet    *battleship.Fleet
	nameless bool
	shots    []shot
	twice    error // the mistake in the shot after the last of shots: its ship was sunk before
}

type shot struct {
	at     battleship.Square
	answer battleship.Answer
}

// document is the line as JSON; a nil pointer is a missing field.
type document struct {
	Size  *int            `json:"size"`
	Fleet json.RawMessage `json:"fleet"`
	Shots *[]struct {
		At     *string         `json:"at"`
		Result *string         `json:"result"`
		Ship   json.RawMessage `json:"ship"`
	} `json:"shots"`
}

func parse(line []byte) (*setting, error) {
	var doc document
	if err := json.Unmarshal(line, &doc); err != nil {
		return nil, explain(err)
	}
	if doc.Size == nil || doc.Fleet == nil || doc.Shots == nil {
		if err := param.Misspelt(line, []string{"size", "fleet", "shots"}); err != nil {
			return nil, err
		}
	}
	p := &setting{}
	if doc.Size == nil {
		return nil, errors.New("size: missing, want a number from 1 to 16")
	}
	var err error
	if p.board, err = battleship.NewBoard(*doc.Size, *doc.Size); err != nil {
		return nil, fmt.Errorf("size: %d, want a number from 1 to %d", *doc.Size, battleship.MaxSide)
	}
	if err := p.readFleet(doc.Fleet); err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	if doc.Shots == nil {
		return nil, errors.New(`shots: missing, want a list of {"at","result"}, [] before the first shot`)
	}
	before := map[battleship.Square]int{}
	sunk := map[int][]int{} // by the first ship alike, the shots that sank one
	for i, s := range *doc.Shots {
		if s.At == nil {
			return nil, fmt.Errorf(`shot %d: "at" is missing, want a square such as a1`, i+1)
		}
		at, err := p.board.Parse(*s.At)
		if err != nil {
			return nil, fmt.Errorf("shot %d: %w", i+1, err)
		}
		if first, again := before[at]; again {
			return nil, fmt.Errorf("shot %d at %s: shot %d was there already", i+1, *s.At, first)
		}
		before[at] = i + 1
		if s.Result == nil {
			return nil, fmt.Errorf(`shot %d at %s: "result" is missing, want miss, hit or sunk`, i+1, *s.At)
		}
		answer, err := p.readResult(*s.Result, s.Ship)
		if err != nil {
			return nil, fmt.Errorf("shot %d at %s: %w", i+1, *s.At, err)
		}
		if ship, ok := answer.Ship(); ok {
			// the shots after it are read too, since an earlier mistake is reported first
			if all := p.alike(ship); len(sunk[ship]) == all && p.twice == nil {
				p.twice = fmt.Errorf("shot %d at %s: %s was sunk already by shot %d", i+1, *s.At, p.describe(ship, all), sunk[ship][all-1])
			}
			sunk[ship] = append(sunk[ship], i+1)
		}
		if p.twice == nil {
			p.shots = append(p.shots, shot{at, answer})
		}
	}
	return p, nil
}

// explain describes, in the words of the format, what is wrong with the JSON.
func explain(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("not a line of JSON: %w at byte %d", err, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Errorf("%s, want an object with size, fleet and shots", article(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("%s: %s, want %s", kind.Field, article(kind.Value), wants(kind.Type.String()))
	}
	return fmt.Errorf("not a position: %w", err)
}

func article(kind string) string {
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}

func wants(kind string) string {
	switch kind {
	case "int":
		return "a whole number"
	case "string":
		return "a string"
	}
	return "a list of objects with at and result"
}

// readFleet reads an object of classes and lengths or a list of lengths.
func (p *setting) readFleet(raw json.RawMessage) error {
	const want = `an object of classes and lengths such as {"cruiser":3}, or a list of lengths`
	if len(raw) == 0 {
		return errors.New("missing, want " + want)
	}
	if raw[0] == '[' {
		var lengths []int
		if json.Unmarshal(raw, &lengths) != nil {
			return errors.New("want " + want)
		}
		for i, length := range lengths {
			if length < 1 || length > battleship.MaxSide {
				return fmt.Errorf("ship %d has length %d, want 1 to %d", i+1, length, battleship.MaxSide)
			}
		}
		if len(lengths) == 0 || len(lengths) > battleship.MaxShips {
			return fmt.Errorf("%d ships, want 1 to %d", len(lengths), battleship.MaxShips)
		}
		p.nameless = true
		var err error
		p.fleet, err = battleship.NewNameless(lengths...)
		return err
	}
	if raw[0] != '{' {
		return errors.New("want " + want)
	}
	// token by token: a map would hide a class that is there twice
	tokens := json.NewDecoder(bytes.NewReader(raw))
	if _, err := tokens.Token(); err != nil {
		return err
	}
	var ships []battleship.Ship
	seen := map[string]bool{}
	for tokens.More() {
		key, err := tokens.Token()
		if err != nil {
			return err
		}
		class, _ := key.(string)
		var length int
		if err := tokens.Decode(&length); err != nil {
			return fmt.Errorf("class %q: want its length, a whole number", class)
		}
		if length < 1 || length > battleship.MaxSide {
			return fmt.Errorf("class %q has length %d, want 1 to %d", class, length, battleship.MaxSide)
		}
		if class == "" {
			return errors.New("a class has an empty name")
		}
		if seen[class] {
			return fmt.Errorf("class %q is there twice", class)
		}
		seen[class] = true
		ships = append(ships, battleship.Ship{Class: class, Length: length})
	}
	if _, err := tokens.Token(); err != nil && err != io.EOF {
		return err
	}
	if len(ships) == 0 || len(ships) > battleship.MaxShips {
		return fmt.Errorf("%d ships, want 1 to %d", len(ships), battleship.MaxShips)
	}
	var err error
	p.fleet, err = battleship.NewFleet(ships...)
	return err
}

// readResult reads the answer to a shot; of ships alike it names the first.
func (p *setting) readResult(result string, ship json.RawMessage) (battleship.Answer, error) {
	given := len(ship) > 0 && string(ship) != "null"
	switch result {
	case "miss", "hit":
		if given {
			return 0, fmt.Errorf("%s names a ship, only sunk does", result)
		}
		if result == "miss" {
			return battleship.Miss, nil
		}
		return battleship.Hit, nil
	case "sunk":
	default:
		return 0, fmt.Errorf("result %q, want miss, hit or sunk", result)
	}
	want := "its class"
	if p.nameless {
		want = "its length"
	}
	if !given {
		return 0, fmt.Errorf(`sunk without "ship", want %s`, want)
	}
	var class string
	if json.Unmarshal(ship, &class) != nil {
		var length int
		if !p.nameless || json.Unmarshal(ship, &length) != nil {
			return 0, fmt.Errorf("sunk ship %s, want %s", ship, want)
		}
		class = strconv.Itoa(length)
	}
	first, ok := p.fleet.Find(class)
	if !ok {
		if p.nameless {
			return 0, fmt.Errorf("sunk ship of length %s, the fleet has none", class)
		}
		return 0, fmt.Errorf("sunk ship %q is not in the fleet", class)
	}
	return battleship.Sunk(first), nil
}

// alike returns how many ships are announced like one.
func (p *setting) alike(ship int) int {
	n := 0
	for i := range p.fleet.Ships() {
		if p.fleet.Alike(i) == ship {
			n++
		}
	}
	return n
}

func (p *setting) describe(ship, all int) string {
	switch {
	case !p.nameless:
		return p.fleet.Ship(ship).Class
	case all == 1:
		return fmt.Sprintf("the only ship of length %d", p.fleet.Length(ship))
	}
	return fmt.Sprintf("the last of the %d ships of length %d", all, p.fleet.Length(ship))
}
