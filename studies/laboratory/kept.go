package laboratory

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
)

// Kept is a file of outcomes, one JSON object a line, to which a long run adds
// each study as it ends: the same run goes on where it was cut short. A line
// belongs to the text of its study file; nothing tells whether the code has
// changed since, so a change of a search calls for a new file.
type Kept struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]Outcome
}

// keptLine is a line of the file.
type keptLine struct {
	Study  string `json:"study"` // hash of the study file
	Method string `json:"method"`
	Cell   string `json:"cell"`
	Outcome
}

// Keep opens or makes a file of outcomes. A last line that was cut short is
// written again.
func Keep(path string) (*Kept, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	k := &Kept{file: f, known: map[string]Outcome{}}
	in, whole := bufio.NewReader(f), int64(0)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		var line keptLine
		if err == nil {
			err = json.Unmarshal(text, &line)
		}
		if err == nil && line.Study == "" {
			err = fmt.Errorf("expected a study's outcome")
		}
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		whole += int64(len(text))
		k.known[line.Study] = line.Outcome
	}
	if err := f.Truncate(whole); err != nil {
		f.Close()
		return nil, err
	}
	_, err = f.Seek(whole, io.SeekStart)
	return k, err
}

// Close closes the file.
func (k *Kept) Close() error {
	if k == nil {
		return nil
	}
	return k.file.Close()
}

func (k *Kept) find(study string) (Outcome, bool) {
	if k == nil {
		return Outcome{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.known[study]
	return o, ok
}

func (k *Kept) keep(study, method, cell string, o Outcome) error {
	if k == nil {
		return nil
	}
	text, err := json.Marshal(keptLine{study, method, cell, o})
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.known[study] = o
	_, err = k.file.Write(append(text, '\n'))
	return err
}
