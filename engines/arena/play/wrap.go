package play

import "strings"

// width is the number of columns that sentences fit into.
const width = 80

// wrapped breaks the sentences of a text that are wider than 80 columns between words. A
// line that is broken goes on under its first word. Boards stay as they are: lines with
// colour, or with columns behind their label.
func wrapped(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if len([]rune(line)) <= width || strings.Contains(line, "\x1b") || strings.Contains(line[min(len(line), 10):], "  ") {
			continue
		}
		words := strings.Fields(line)
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		var b strings.Builder
		b.WriteString(indent)
		at := len(indent)
		for k, word := range words {
			n := len([]rune(word))
			switch {
			case k == 0:
			case at+1+n > width:
				b.WriteString("\n" + indent)
				at = len(indent)
			default:
				gap := " "
				if k == 1 { // a label keeps its column
					behind := strings.TrimPrefix(line[len(indent):], words[0])
					gap = behind[:len(behind)-len(strings.TrimLeft(behind, " "))]
				}
				b.WriteString(gap)
				at += len(gap)
			}
			b.WriteString(word)
			at += n
		}
		if strings.HasSuffix(line, " ") { // of a prompt
			b.WriteByte(' ')
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n")
}

// reflowed is a text whose paragraphs are broken anew; lines that are indented stay.
func reflowed(text string) string {
	var out []string
	open := false
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		prose := line != "" && line[0] != ' '
		if prose && open {
			out[len(out)-1] += " " + line
		} else {
			out = append(out, line)
		}
		open = prose
	}
	return wrapped(strings.Join(out, "\n")) + "\n"
}
