package api

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sakusen/engines/plain"
)

// Role says what a client may do. A higher role includes the lower ones.
type Role uint8

// The roles.
const (
	NoRole     Role = iota
	Read            // look at everything, export, watch games
	Submit          // add studies, tournaments, runs of experiments, played blocks, benchmarks; ask for games of a study and tell them
	Administer      // stop, delete, drop, prune, accept, set baselines
)

var names = [...]string{"none", "read", "submit", "administer"}

func (r Role) String() string { return names[r] }

// roleOf returns the role of a name.
func roleOf(name string) (Role, bool) {
	for r := Read; r <= Administer; r++ {
		if names[r] == name {
			return r, true
		}
	}
	return NoRole, false
}

// Token is a token as a daemon knows it.
type Token struct {
	Role  Role
	hash  [sha256.Size]byte
	plain string // only in what a command reads to send it
}

// Tokens are the tokens that a daemon accepts; if there are none, everybody may do everything.
type Tokens []Token

// OnlyToken returns a list with one token that may do everything, or an empty list for an
// empty text.
func OnlyToken(token string) Tokens {
	if token == "" {
		return nil
	}
	return Tokens{{Role: Administer, hash: sha256.Sum256([]byte(token))}}
}

// Find returns the token that equals a given text, or nil. All are compared, each in
// constant time.
func (t Tokens) Find(given string) (found *Token) {
	hash := sha256.Sum256([]byte(given))
	for i := range t {
		if subtle.ConstantTimeCompare(hash[:], t[i].hash[:]) == 1 {
			found = &t[i]
		}
	}
	return found
}

// Same reports whether two lists have the same tokens with the same roles.
func (t Tokens) Same(other Tokens) bool {
	return slices.EqualFunc(t, other, func(a, b Token) bool { return a.Role == b.Role && a.hash == b.hash })
}

// process is the key with which this process signs cookies. It is never stored, so neither
// the file of hashes nor a cookie of an earlier process lets anybody in.
var process = func() []byte {
	key := make([]byte, sha256.Size)
	rand.Read(key)
	return key
}()

// Sign returns the signature of a text by this process, for a client that has sent the token.
func (t *Token) Sign(text string) string {
	m := hmac.New(sha256.New, process)
	m.Write(t.hash[:])
	m.Write([]byte{byte(t.Role)})
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

// Signer returns the token for which this process signed a text, nil if it is none of these.
func (t Tokens) Signer(text, signature string) (found *Token) {
	for i := range t {
		if hmac.Equal([]byte(signature), []byte(t[i].Sign(text))) {
			found = &t[i]
		}
	}
	return found
}

const (
	// leastToken is the least length of a token, in bytes.
	leastToken = 16
	// leastLetters is the least number of different characters in it.
	leastLetters = 8
	// mostFile bounds a file of tokens, in bytes, and mostTokens their number.
	mostFile   = 64 << 10
	mostTokens = 100
	hashMark   = "sha256:"
)

// ReadTokens reads a file of tokens, of which it keeps the hashes. A line is a token,
// or a role (read, submit, administer) and a token; without a role it may do
// everything. A token may be given as sha256: and the hexadecimal digits of its
// hash. Lines that begin with # are comments. An error names file and line.
func ReadTokens(file string) (Tokens, error) {
	tokens, err := readFile(file)
	for i := range tokens {
		tokens[i].plain = ""
	}
	return tokens, err
}

// TokenToSend returns the token that a command sends: that of the file with the highest
// role. If the file has only hashes, which cannot be sent, the error says so.
func TokenToSend(file string) (string, error) {
	tokens, err := readFile(file)
	if err != nil {
		return "", err
	}
	best := Token{}
	for _, t := range tokens {
		if t.plain != "" && t.Role > best.Role {
			best = t
		}
	}
	if best.plain == "" {
		return "", fmt.Errorf("%s: expected a token, got hashes of tokens alone: commands read theirs from the file that the setting client_token_file names", file)
	}
	return best.plain, nil
}

func readFile(file string) (Tokens, error) {
	text, err := plain.ReadFile(file, mostFile)
	if err != nil {
		return nil, err
	}
	var out Tokens
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, mostFile+1)
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(lines.Text())
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		t, err := readLine(words)
		if err == nil && (out.has(t.hash) || len(out) == mostTokens) {
			err = fmt.Errorf("expected at most %d tokens, each once", mostTokens)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		out = append(out, t)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: expected a token of at least %d characters, got none", file, leastToken)
	}
	return out, nil
}

func (t Tokens) has(hash [sha256.Size]byte) bool {
	for i := range t {
		if t[i].hash == hash {
			return true
		}
	}
	return false
}

// readLine reads the words of one line. Errors do not repeat the token.
func readLine(words []string) (t Token, err error) {
	t.Role = Administer
	if len(words) == 2 {
		var ok bool
		if t.Role, ok = roleOf(words[0]); !ok {
			return t, errors.New("expected a token, or a role (read, submit, administer) and a token")
		}
		words = words[1:]
	}
	if len(words) != 1 {
		return t, errors.New("expected one word, or a role (read, submit, administer) and one word")
	}
	word := words[0]
	if digits, ok := strings.CutPrefix(word, hashMark); ok {
		hash, err := hex.DecodeString(digits)
		if err != nil || len(hash) != sha256.Size {
			return t, fmt.Errorf("expected %s and %d hexadecimal digits, as sha256sum prints them", hashMark, 2*sha256.Size)
		}
		t.hash = [sha256.Size]byte(hash)
		return t, nil
	}
	letters := map[rune]bool{}
	for _, r := range word {
		if r <= ' ' || r > '~' {
			return t, errors.New("expected printable ASCII characters")
		}
		letters[r] = true
	}
	if len(word) < leastToken {
		return t, fmt.Errorf("expected a token of at least %d characters, got %d", leastToken, len(word))
	}
	if len(letters) < leastLetters {
		return t, fmt.Errorf("expected a token of at least %d different characters, got %d: make one with head -c 24 /dev/urandom | base64", leastLetters, len(letters))
	}
	t.hash, t.plain = sha256.Sum256([]byte(word)), word
	return t, nil
}
