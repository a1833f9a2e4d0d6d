// Package lines reads what is typed or piped into the program, line by line and
// of bounded length, and answers it line by line.
//
//	line, long, err := lines.Read(bufio.NewReader(os.Stdin))
package lines

import "bufio"

// Most bounds a line of input, bytes.
const Most = 1 << 20

// Read reads a line without its end. A line longer than Most is read to
// its end and reported as long. The error is io.EOF after the last line.
func Read(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return nil, false, err
		}
		if len(line)+len(part) > Most {
			long, line = true, nil
		}
		if !long {
			line = append(line, part...)
		}
		if !more {
			return line, long, nil
		}
	}
}
