package chess

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"sakusen/engines/arena"
	"sakusen/engines/lines"
)

// Opening returns the index-th opening of our own making: plies random moves from the
// start, drawn again until neither side can win material by force of captures
// within two plies. The same seed, index and number of plies always give the same
// opening.
func Opening(seed, index uint64, plies int) []Move {
	chance := arena.NewStream(seed, index)
	for {
		if moves := drawn(&chance, plies); moves != nil {
			return moves
		}
	}
}

// drawn returns an opening of random moves; nil if it ends the game early, leaves a check,
// or is not balanced.
func drawn(chance *arena.Stream, plies int) []Move {
	p := Start()
	moves := make([]Move, plies)
	var buffer [256]Move
	for i := range moves {
		legal := p.Legal(buffer[:0])
		if len(legal) == 0 {
			return nil
		}
		moves[i] = legal[chance.IntN(len(legal))]
		p.Do(moves[i])
	}
	if p.Check() || len(p.Legal(buffer[:0])) == 0 {
		return nil
	}
	if v := look(&p, 2, -mated, mated); v < -balance || v > balance {
		return nil
	}
	return moves
}

const (
	balance = 50 // most advantage of an opening, hundredths of a pawn
	mated   = 100000
)

// values are what pieces are worth in look, hundredths of a pawn.
var values = [...]int{None: 0, Pawn: 100, Knight: 300, Bishop: 300, Rook: 500, Queen: 900, King: 0}

// look returns the material that the side to move is ahead after some plies and all
// captures that pay. It is a small alpha-beta search; openings in which a piece can be won
// are refused by it.
func look(p *Position, depth, alpha, beta int) int {
	var buffer [256]Move
	legal := p.Legal(buffer[:0])
	if len(legal) == 0 {
		if p.Check() {
			return -mated
		}
		return 0
	}
	if depth <= 0 {
		v := 0
		for k := Pawn; k <= Queen; k++ {
			v += values[k] * (p.Squares(p.turn, k).Len() - p.Squares(p.turn^1, k).Len())
		}
		if v >= beta {
			return v
		}
		alpha = max(alpha, v)
	}
	for _, m := range legal {
		if depth <= 0 && (p.kind(m.To()) == None || depth < -6) {
			continue
		}
		next := *p
		next.Do(m)
		if v := -look(&next, depth-1, -beta, -alpha); v > alpha {
			if alpha = v; alpha >= beta {
				break
			}
		}
	}
	return alpha
}

// mostPositions bounds a book, because its text is stored with every study.
const mostPositions = 20000

// book is the openings of a file while it is read. What is no opening is left out.
type book struct {
	positions []Position
	seen      map[uint64]int // the line of each position
	left      *lines.LeftOut
}

// ParseBook reads the openings of a book in EPD, see [lines.LeftOut].
func ParseBook(text string, left *lines.LeftOut) []Position {
	b := book{seen: map[uint64]int{}, left: left}
	number := 0
	for line := range strings.Lines(text) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, odd, err := parseEPD(line)
		if err != nil {
			left.Add(number, "position", "a position of chess", err.Error())
			continue
		}
		if odd != "" {
			left.Add(number, "operation", "operations such as bm e4; behind the one position of a line", fmt.Sprintf("%.80q", odd))
		}
		var l Line
		l.Reset(p)
		b.take(number, &l)
	}
	return b.positions
}

// take adds the position that a game has reached, once.
func (b *book) take(number int, l *Line) {
	if e := l.Ending(); e != Open {
		b.left.Add(number, "position", "one in which the game goes on", e.String())
	} else if first, twice := b.seen[l.now.key]; twice {
		b.left.Add(number, "position", "each position once", fmt.Sprintf("that of line %d again", first))
	} else {
		b.seen[l.now.key] = number
		b.positions = append(b.positions, l.now)
	}
}

// parseEPD reads a position with operations behind it, of which hmvc and fmvn are its counts
// of moves; these may also stand as in Forsyth and Edwards' notation. The first text that is
// no operation is returned too.
func parseEPD(text string) (p Position, odd string, err error) {
	fields := strings.Fields(text)
	n := min(len(fields), 4)
	fen, rest := fields[:n:n], fields[n:]
	if n == 4 {
		fen[3] = strings.TrimSuffix(fen[3], ";")
	}
	counts := [...]string{"0", "1"}
	for i := range counts {
		if len(rest) == 0 || !digits(strings.TrimSuffix(rest[0], ";")) {
			break
		}
		counts[i], rest = strings.TrimSuffix(rest[0], ";"), rest[1:]
	}
	for rest := strings.Join(rest, " "); rest != ""; {
		var operation string
		operation, rest = cutOperation(rest)
		word, value, _ := strings.Cut(strings.TrimSpace(operation), " ")
		switch word {
		case "hmvc":
			counts[0] = cmp.Or(strings.TrimSpace(value), "?")
		case "fmvn":
			counts[1] = cmp.Or(strings.TrimSpace(value), "?")
		}
		if word != "" && odd == "" && !opcode(word) || strings.Count(value, "/") > 6 && !strings.Contains(value, `"`) {
			odd = operation
		}
	}
	p, err = ParseFEN(strings.Join(append(fen, counts[:]...), " "))
	return p, odd, err
}

// cutOperation cuts the first operation off, which ends with a semicolon outside of quotation
// marks.
func cutOperation(text string) (operation, rest string) {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ';':
			if !quoted {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// opcode reports whether a word can be that of an operation: a letter, then letters, digits and _.
func opcode(word string) bool {
	return word[0]|0x20 >= 'a' && word[0]|0x20 <= 'z' && !strings.Contains(word, "/")
}

func digits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// parsePGNBook reads the openings of a book in PGN: the position after the moves of each
// game, or after the first so many plies unless that is 0. Comments and variations are
// passed over.
func parsePGNBook(text string, plies int, left *lines.LeftOut) []Position {
	b := book{seen: map[uint64]int{}, left: left}
	var l Line
	number := 0
	for g := range lines.PGN(bufio.NewReader(strings.NewReader(text)), left, true) {
		number++
		start, field, want, err := begins(g)
		if err != nil {
			left.Add(g.Line, field, want, err.Error())
			continue
		}
		l.Reset(start)
		err = l.play(g.Moves, plies)
		switch {
		case err != nil:
			left.Add(g.Line, fmt.Sprintf("game %d", number), "legal moves", fmt.Sprintf("after %d plies: %v", len(l.moves), err))
		case g.Broken != "" && (plies == 0 || len(l.moves) < plies):
			left.Add(g.Line, fmt.Sprintf("game %d", number), g.Broken, "none")
		default:
			b.take(g.Line, &l)
		}
	}
	return b.positions
}

// variants are the variants whose games are games of chess, without blanks and marks.
const variants = " chess standard standardchess normal orthodox regular classical fromposition chess960 fischerandom fischerrandom "

// begins returns where a game begins. The error is what its tags say instead, with the tag and what was
// expected of it.
func begins(g *lines.PGNGame) (start Position, field, want string, err error) {
	fen, placed := g.Tag("FEN")
	if setup, _ := g.Tag("SetUp"); setup == "1" && !placed {
		return start, "FEN", "a position of chess, as SetUp says", errors.New("none")
	}
	said, _ := g.Tag("Variant")
	name := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, said)
	if !strings.Contains(variants, " "+name+" ") && name != "" || strings.Contains(name, "9") && !placed || strings.Contains(name, "fischer") && !placed {
		return start, "Variant", "chess, or Chess960 with the tag FEN", fmt.Errorf("%.40q", said)
	}
	switch {
	case placed:
		start, _, err = parseEPD(fen)
	case len(g.Moves) == 0:
		err = errors.New("neither that nor a move")
	default:
		start = Start()
	}
	return start, "FEN", "a position of chess", err
}

// play makes moves in standard algebraic notation, at most so many unless that is 0.
func (l *Line) play(moves []string, plies int) error {
	for _, text := range moves {
		if plies > 0 && len(l.moves) >= plies {
			return nil
		}
		m, err := l.now.parseSAN(text)
		if err != nil {
			return err
		}
		l.Do(m)
	}
	return nil
}

// canonicalBook returns the positions of a book, with | between them. The rules depend on
// the content of a file and not on its name.
func (r *Rules) canonicalBook(text string) (string, error) {
	first, _, _ := strings.Cut(text, "|")
	if _, err := ParseFEN(first); err == nil {
		positions, err := strictBook(text)
		return canonical(positions), err
	}
	if r.files.Read == nil {
		return "", errors.New(ownOpenings + " or " + r.bookForms())
	}
	positions, err := r.readBook(text)
	return canonical(positions), err
}

// strictBook reads positions with | between them, all of which must be openings.
func strictBook(text string) ([]Position, error) {
	left := &lines.LeftOut{}
	positions := ParseBook(strings.ReplaceAll(text, "|", "\n"), left)
	switch {
	case left.Count() > 0:
		return nil, fmt.Errorf("a book in EPD: %w", left.Err())
	case len(positions) > mostPositions:
		return nil, fmt.Errorf("a book of at most %d positions", mostPositions)
	}
	return positions, nil
}

// readBook reads a file in EPD or PGN. Of a book with too many positions it takes as many as
// there may be, spread over the whole.
func (r *Rules) readBook(path string) ([]Position, error) {
	name, plies := path, 0
	if at := strings.LastIndexByte(path, '@'); at > 0 {
		if n, err := strconv.Atoi(path[at+1:]); err == nil && n > 0 {
			name, plies = path[:at], n
		}
	}
	content, err := r.files.Read(name)
	var text string
	left := &lines.LeftOut{File: name}
	if err == nil {
		if text, err = lines.Text(content); err != nil && text != "" {
			left.Add(1+strings.Count(text, "\n"), "file", "the rest of the text", err.Error())
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s or %s: %w", ownOpenings, r.bookForms(), err)
	}
	var positions []Position
	form := "EPD"
	bare := strings.ToLower(name)
	for _, packed := range []string{".gz", ".bz2", ".zip"} {
		bare = strings.TrimSuffix(bare, packed)
	}
	if strings.HasPrefix(strings.TrimSpace(text), "[") || strings.HasSuffix(bare, ".pgn") {
		form, positions = "PGN", parsePGNBook(text, plies, left)
	} else if plies > 0 {
		return nil, fmt.Errorf("@PLIES behind a book in PGN alone, got %s", path)
	} else {
		positions = ParseBook(text, left)
	}
	all := len(positions)
	if all == 0 {
		return nil, errors.Join(fmt.Errorf("a book in %s with at least one position", form), left.Err())
	}
	said := fmt.Sprintf("book %s: positions: %d", name, all)
	if all > mostPositions {
		for i := range mostPositions {
			positions[i] = positions[i*all/mostPositions]
		}
		positions = positions[:mostPositions]
		said += fmt.Sprintf(", of which %d are used, spread evenly", mostPositions)
	}
	if r.files.Tell != nil && left.Count() > 0 {
		r.files.Tell(left.Summary(said))
	} else if r.files.Tell != nil && all > mostPositions {
		r.files.Tell(said)
	}
	return positions, nil
}

// canonical returns the positions of a book as a text.
func canonical(positions []Position) string {
	fens := make([]string, len(positions))
	for i := range positions {
		fens[i] = positions[i].FEN()
	}
	return strings.Join(fens, "|")
}
