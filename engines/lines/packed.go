package lines

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// packed are the first bytes of files that are packed in ways that are not read.
var packed = map[string]string{"\x28\xb5\x2f\xfd": "zstd", "\xfd7zXZ\x00": "xz", "7z\xbc\xaf\x27\x1c": "7-Zip", "Rar!\x1a\x07": "RAR"}

// unpacked returns the content of a file that is packed by gzip or bzip2, or of an archive of zip with
// one file; of any other file the file itself.
func unpacked(in *bufio.Reader) (*bufio.Reader, error) {
	head, _ := in.Peek(10)
	var out io.Reader
	var err error
	switch text := string(head); {
	case strings.HasPrefix(text, "\x1f\x8b"):
		out, err = gzip.NewReader(in)
	case strings.HasPrefix(text, "BZh") && strings.HasSuffix(text, "1AY&SY"):
		out = bzip2.NewReader(in)
	case strings.HasPrefix(text, local):
		out, err = unzipped(in)
	default:
		for mark, name := range packed {
			if strings.HasPrefix(text, mark) {
				return nil, fmt.Errorf("a file packed by %s, which is not read: unpack it first", name)
			}
		}
		return in, nil
	}
	if err != nil {
		return nil, err
	}
	return bufio.NewReaderSize(&bounded{in: out, left: mostUnpacked}, 64<<10), nil
}

// local marks the header of a file in an archive of zip.
const local = "PK\x03\x04"

// unzipped reads the first file of an archive of zip; a second one is an error behind it.
func unzipped(in *bufio.Reader) (io.Reader, error) {
	for {
		head := make([]byte, 30)
		if _, err := io.ReadFull(in, head); err != nil {
			return nil, err
		}
		flags, method, size := binary.LittleEndian.Uint16(head[6:]), binary.LittleEndian.Uint16(head[8:]), binary.LittleEndian.Uint32(head[18:])
		name := make([]byte, binary.LittleEndian.Uint16(head[26:]))
		if _, err := io.ReadFull(in, name); err != nil {
			return nil, err
		}
		if _, err := in.Discard(int(binary.LittleEndian.Uint16(head[28:]))); err != nil {
			return nil, err
		}
		switch streamed := flags&8 != 0; {
		case flags&1 != 0:
			return nil, errors.New("an archive of zip with a password")
		case bytes.HasSuffix(name, []byte("/")) && size == 0 && method == 0: // a folder
			continue
		case method == 8:
			return &first{flate.NewReader(in), in}, nil
		case method == 0 && !streamed:
			return &first{io.LimitReader(in, int64(size)), in}, nil
		}
		return nil, fmt.Errorf("an archive of zip that is packed by method %d: only deflated ones are read", method)
	}
}

// first reads a file of an archive, and fails at its end where there is another one.
type first struct {
	file io.Reader
	in   *bufio.Reader
}

func (f *first) Read(p []byte) (int, error) {
	n, err := f.file.Read(p)
	if err != io.EOF {
		return n, err
	}
	// Between two files stand at most the sizes of the one before.
	if behind, _ := f.in.Peek(24 + len(local)); bytes.Contains(behind, []byte(local)) {
		return n, errors.New("an archive of more than one file")
	}
	return n, io.EOF
}
