package lines

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// PGNGame is a game of a text in Portable Game Notation, as it is written.
type PGNGame struct {
	Line  int // of its first tag or move
	Tags  []PGNTag
	Moves []string // without numbers, comments, variations and marks
	// Result is the one that ends its moves, as [PGNResult] has it; empty where none does.
	Result string
	// Broken is what the game lacks, such as the end of a comment; its moves are those before.
	Broken string
	begun  bool // it has moves or a result
}

// PGNTag is a tag pair.
type PGNTag struct{ Name, Value string }

// Tag returns the value of the first tag of a name in any case; false where there is none.
func (g *PGNGame) Tag(name string) (string, bool) {
	for _, t := range g.Tags {
		if strings.EqualFold(t.Name, name) {
			return t.Value, true
		}
	}
	return "", false
}

// PGNResult returns a result as the standard writes it: 1-0, 0-1, 1/2-1/2 or *.
func PGNResult(text string) (string, bool) {
	switch text = strings.ReplaceAll(strings.NewReplacer("–", "-", "½", "1/2").Replace(text), " ", ""); text {
	case "1-0", "0-1", "1/2-1/2", "*":
		return text, true
	case "1/2", "0.5-0.5", ".5-.5":
		return "1/2-1/2", true
	}
	return "", false
}

// PGN reads games one after the other, with their moves or without. Tags may share a line or
// have empty lines between them and stand in any order; a comment or variation that never
// ends is over where the next game begins. What of a text is no tag is left out.
func PGN(in *bufio.Reader, left *LeftOut, moves bool) iter.Seq[*PGNGame] {
	return func(yield func(*PGNGame) bool) {
		p := &pgnReader{in: in, left: left, moves: moves}
		for g := p.next(); g != nil; g = p.next() {
			if !yield(g) {
				return
			}
		}
	}
}

// pgnReader reads games line by line.
type pgnReader struct {
	in    *bufio.Reader
	left  *LeftOut
	moves bool

	number int      // of the line
	back   []string // lines that are to be read again
	game   *PGNGame
	depth  int  // of variations
	blank  bool // the line before was empty
	held   []string
	inside bool // of a comment
	began  int  // the comment's line
}

// mostLine is how much of a line is read, bytes.
const mostLine = 16 << 20

// line returns the next line; false after the last.
func (p *pgnReader) line() (string, bool) {
	p.number++
	if n := len(p.back); n > 0 {
		line := p.back[0]
		p.back = p.back[1:]
		return line, true
	}
	var line []byte
	more := 0
	for {
		piece, err := p.in.ReadSlice('\n')
		kept := min(len(piece), mostLine-len(line))
		line, more = append(line, piece[:kept]...), more+len(piece)-kept
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			p.left.Add(p.number, "file", "the rest of the text", err.Error())
			p.in = bufio.NewReader(strings.NewReader("")) // it is told once
		}
		break
	}
	if more > 0 {
		p.left.Add(p.number, "line", fmt.Sprintf("at most %d bytes", mostLine), fmt.Sprintf("%d more", more))
	}
	return Latin(string(line)), len(line) > 0
}

// again has lines read again, the last of which is the one that was read last.
func (p *pgnReader) again(lines ...string) {
	p.back = append(slices.Clone(lines), p.back...)
	p.number -= len(lines)
}

// next returns the next game, nil after the last.
func (p *pgnReader) next() *PGNGame {
	p.game, p.depth, p.inside, p.held = &PGNGame{}, 0, false, nil
	for {
		line, ok := p.line()
		if !ok {
			p.number--
			if p.inside && p.held != nil {
				p.unclosed(p.held)
				return p.over()
			}
			if p.inside {
				p.game.Broken = p.lacking("comment", p.began)
			}
			if g := p.over(); len(g.Tags) > 0 || g.begun || g.Broken != "" {
				return g
			}
			return nil
		}
		if p.inside {
			rest, ended := p.comment(line)
			if p.game.Broken != "" {
				return p.over()
			}
			if !ended {
				p.blank = strings.TrimSpace(line) == ""
				continue
			}
			line = rest
		}
		if p.read(line) {
			return p.over()
		}
	}
}

func (p *pgnReader) lacking(what string, line int) string {
	return fmt.Sprintf("the end of the %s of line %d", what, line)
}

// over ends the game.
func (p *pgnReader) over() *PGNGame {
	if p.game.Broken != "" && p.game.Line == 0 {
		p.game.Line = p.began
	}
	if p.depth > 0 && p.game.Broken == "" {
		p.game.Broken = p.lacking("variation", p.began)
	}
	return p.game
}

// unclosed ends a game whose comment does not end; the lines are those of the next.
func (p *pgnReader) unclosed(lines []string) {
	p.game.Broken, p.inside = p.lacking("comment", p.began), false
	p.again(lines...)
	p.held = nil
}

// comment looks for the end of a comment and returns what stands behind it. Lines that look
// like the tags of the next game are held: a second { before the } says that they are.
func (p *pgnReader) comment(line string) (rest string, ended bool) {
	if p.held == nil {
		if tag, _, ok := pgnTag(line); ok && strings.HasPrefix(strings.TrimSpace(line), "[") && (p.blank || tag.Name == "Event") {
			p.held = []string{}
		}
	}
	at := strings.IndexAny(line, "{}")
	if p.held != nil {
		p.held = append(p.held, line)
		if at >= 0 && line[at] == '{' || len(p.held) > 1<<16 {
			p.unclosed(p.held)
			return "", true
		}
	} else {
		at = strings.IndexByte(line, '}')
	}
	if at < 0 {
		return "", false
	}
	p.inside, p.held = false, nil
	return line[at+1:], true
}

// read reads a line, or the rest of one; true says that the game is over.
func (p *pgnReader) read(line string) bool {
	if strings.TrimSpace(line) == "" {
		p.blank = true
		return false
	}
	blank := p.blank
	p.blank = false
	if line[0] == '%' {
		return false
	}
	g := p.game
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c <= ' ':
			i++
		case c == '{':
			p.began = p.number
			end := strings.IndexByte(line[i:], '}')
			if p.inside = end < 0; p.inside {
				return false
			}
			i += end + 1
		case c == ';':
			return false
		case c == '(':
			if p.depth++; p.depth == 1 {
				p.began = p.number
			}
			i++
		case c == ')':
			p.depth = max(0, p.depth-1)
			i++
		case c == '[':
			tag, size, ok := pgnTag(line[i:])
			if !ok {
				if fen, is := cutFEN(line[i:]); is && !g.begun {
					p.start()
					g.Tags = append(g.Tags, PGNTag{"FEN", fen})
					return false
				}
				if !g.begun {
					p.left.Add(p.number, "tag", `[Name "value"]`, fmt.Sprintf("%.60q", strings.TrimSpace(line)))
					return false
				}
				i++
				break
			}
			first, twice := g.Tag(tag.Name)
			if g.begun || twice && (blank || strings.EqualFold(tag.Name, g.Tags[0].Name)) {
				p.again(line[i:])
				p.blank = blank
				return true
			}
			if twice && first != tag.Value {
				p.left.Add(p.number, "tag "+tag.Name, fmt.Sprintf("one value for each game, that is %.40q", first), fmt.Sprintf("%.40q", tag.Value))
			}
			p.start()
			g.Tags = append(g.Tags, tag)
			i += size
		default:
			size := strings.IndexAny(line[i:], " \t\r\n\v\f{}();[")
			if size < 0 {
				size = len(line) - i
			}
			size = max(size, 1)
			if piece := line[i+size:]; len(piece) > 2 && piece[0] == '(' && piece[2] == ')' && strings.Contains("QRBNqrbn", piece[1:2]) {
				size += 3 // e8(Q)
			}
			word := line[i : i+size]
			i += size
			if p.depth == 0 && p.word(word) {
				rest := strings.TrimSpace(line[i:])
				for rest != "" { // "1/2 - 1/2"
					said, more, _ := strings.Cut(rest, " ")
					if result, ok := PGNResult(said); said != "-" && (!ok || result != g.Result) {
						p.again(rest)
						break
					}
					rest = strings.TrimSpace(more)
				}
				return true
			}
		}
	}
	return false
}

// start notes where the game begins.
func (p *pgnReader) start() {
	if p.game.Line == 0 {
		p.game.Line = p.number
	}
}

// pgnMarks are words that say something of a move.
var pgnMarks = [...]string{"N", "TN", "D", "e.p.", "e.p", "ep", "ep.", "ch", "ch.", "dbl", "mate"}

// word takes a word of the moves; true says that it ends the game.
func (p *pgnReader) word(word string) bool {
	if result, ok := PGNResult(word); ok {
		p.start()
		p.game.Result, p.game.begun = result, true
		return true
	}
	if number := strings.TrimLeft(word, "0123456789"); strings.HasPrefix(number, ".") || strings.HasPrefix(number, "…") {
		word = strings.TrimLeft(number, ".…")
	} else if number == "" {
		return false
	}
	if null := word == "--" || word == "<>"; !null && (word == "" || word[0] == '$' || strings.Trim(word, "!?.+-=/~^<>}□∞±∓⩲⩱") == "" || slices.Contains(pgnMarks[:], word)) {
		return false
	}
	p.start()
	p.game.begun = true
	if p.moves {
		p.game.Moves = append(p.game.Moves, word)
	}
	return false
}

// cutFEN returns the position of a tag FEN whose quotation marks or bracket are not as they must be: the
// game must not be taken for one from the start.
func cutFEN(text string) (string, bool) {
	body := strings.TrimLeft(text, "[ \t")
	if len(body) < 4 || !strings.EqualFold(body[:3], "FEN") || !strings.ContainsAny(body[3:4], " \t\"'=:") {
		return "", false
	}
	return strings.Trim(body[3:], " \t\r\n\"'=:“”„]"), true
}

// mostTag bounds a tag's value, bytes: each of a line may have no end.
const mostTag = 8192

// pgnTag reads the tag [Name "value"] at the beginning of a text and returns how long it is.
// Quotation marks inside a value need not be escaped.
func pgnTag(text string) (tag PGNTag, size int, ok bool) {
	body := strings.TrimLeft(text, " \t")
	if !strings.HasPrefix(body, "[") {
		return tag, 0, false
	}
	body = strings.TrimLeft(body[1:], " \t")
	n := strings.IndexFunc(body, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
	if n <= 0 {
		return tag, 0, false
	}
	tag.Name = body[:n]
	body = strings.TrimLeft(body[n:], " \t")
	if !strings.HasPrefix(body, `"`) {
		return tag, 0, false
	}
	body = body[1:]
	end, after := -1, 0
	for i := 0; i < min(len(body), mostTag); i++ {
		if body[i] != '"' {
			continue
		}
		rest := strings.TrimLeft(body[i+1:], " \t\r\n")
		if !strings.HasPrefix(rest, "]") {
			continue
		}
		escaped := (i-len(strings.TrimRight(body[:i], `\`)))%2 == 1
		if end < 0 || !escaped {
			end, after = i, len(body)-len(rest)+1
		}
		if !escaped {
			break
		}
	}
	if end < 0 {
		return tag, 0, false
	}
	value := strings.NewReplacer(`\\`, `\`, `\"`, `"`, "\r", "", "\n", " ").Replace(body[:end])
	tag.Value = strings.TrimSpace(value)
	return tag, len(text) - len(body) + after, true
}
