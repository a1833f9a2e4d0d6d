package role

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"slices"
)

// Token is a token as a daemon knows it.
type Token struct {
	Role  Role
	hash  [sha256.Size]byte
	plain string // only in what a command reads to send it
}

// Tokens are those that open a daemon; none opens it to everybody.
type Tokens []Token

// Only is one token that may do everything; none where it is empty.
func Only(token string) Tokens {
	if token == "" {
		return nil
	}
	return Tokens{{Role: Administer, hash: sha256.Sum256([]byte(token))}}
}

// Find is the token that somebody gives. All are compared, each in constant time.
func (t Tokens) Find(given string) (found *Token) {
	hash := sha256.Sum256([]byte(given))
	for i := range t {
		if subtle.ConstantTimeCompare(hash[:], t[i].hash[:]) == 1 {
			found = &t[i]
		}
	}
	return found
}

// Same tells whether two lists have the same tokens with the same roles.
func (t Tokens) Same(other Tokens) bool {
	return slices.EqualFunc(t, other, func(a, b Token) bool { return a.Role == b.Role && a.hash == b.hash })
}

// process is the key of what this process signs. It ends with the process: neither
// who reads the file of hashes nor who kept a cookie of a former process can use it.
var process = func() []byte {
	key := make([]byte, sha256.Size)
	rand.Read(key)
	return key
}()

// Sign is the signature of a text by this process, for whoever showed the token.
func (t *Token) Sign(text string) string {
	m := hmac.New(sha256.New, process)
	m.Write(t.hash[:])
	m.Write([]byte{byte(t.Role)})
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

// Signer is the token for which this process signed a text, nil if it is none of
// these.
func (t Tokens) Signer(text, signature string) (found *Token) {
	for i := range t {
		if hmac.Equal([]byte(signature), []byte(t[i].Sign(text))) {
			found = &t[i]
		}
	}
	return found
}
