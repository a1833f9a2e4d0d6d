package queue

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// Headers of what a worker says.
const (
	idHeader   = "Sakusen-Id"        // of the job of a result, of the session of a hello or of a request for a part of an engine
	signHeader = "Sakusen-Signature" // by the worker's key; see signedText
)

// voice signs what a worker says. The server's permissions guard who may publish on a subject,
// and not what a sender has others publish there, as by naming that subject for an answer.
type voice struct {
	name string
	pair nkeys.KeyPair
	key  string // public
}

// newVoice returns the voice of the worker that has these credentials.
func newVoice(c Credentials) (*voice, error) {
	pair, err := nkeys.FromSeed([]byte(c.Seed))
	if err != nil {
		return nil, err
	}
	key, err := pair.PublicKey()
	return &voice{c.Name, pair, key}, err
}

// sign returns a message that the worker has signed.
func (v *voice) sign(subject, id string, text []byte) *nats.Msg {
	m := nats.NewMsg(subject)
	m.Data = text
	m.Header.Set(idHeader, id)
	signature, err := v.pair.Sign(signedText(m))
	if err != nil { // a key that was read from a seed signs
		panic(err)
	}
	m.Header.Set(signHeader, base64.RawURLEncoding.EncodeToString(signature))
	return m
}

// signedText returns the signed part of a message: subject, id and content.
func signedText(m *nats.Msg) []byte {
	sum := sha256.Sum256(m.Data)
	return []byte(m.Subject + "\n" + m.Header.Get(idHeader) + "\n" + hex.EncodeToString(sum[:]))
}

// signed reports whether the owner of a public key has signed a message.
func signed(m *nats.Msg, key string) bool {
	signature, err := base64.RawURLEncoding.DecodeString(m.Header.Get(signHeader))
	if err != nil {
		return false
	}
	public, err := nkeys.FromPublicKey(key)
	return err == nil && public.Verify(signedText(m), signature) == nil
}

// ownInbox reports whether a subject is in a worker's inbox.
func ownInbox(subject, worker string) bool {
	return strings.HasPrefix(subject, inboxRoot+worker+".")
}

// strangerName is a worker that does not exist: no connection may speak in its name.
const strangerName = "somebody-else"

// tryOthers tries whether a connection may speak or hear in the name of other workers, which is
// an error.
func tryOthers(c *nats.Conn, wait time.Duration, names ...string) error {
	for _, name := range names {
		for _, subject := range []string{helloRoot + name, doneRoot + name, fetchRoot + name, inboxRoot + name + ".try"} {
			if err := forbidden(c, wait, func() error { return c.Publish(subject, nil) }); err != nil {
				return fmt.Errorf("a worker may publish in another's name (%s): %w", subject, err)
			}
		}
	}
	for _, subject := range []string{">", helloRoot + ">", doneRoot + ">", fetchRoot + ">", inboxRoot + strangerName + ".>"} {
		var heard *nats.Subscription
		err := forbidden(c, wait, func() (err error) { heard, err = c.SubscribeSync(subject); return err })
		heard.Unsubscribe()
		if err != nil {
			return fmt.Errorf("a worker may hear what is for others (%s): %w", subject, err)
		}
	}
	return nil
}

// errUnguarded is what to do about a server that lets workers do what they may not.
var errUnguarded = errors.New("give the server the configuration that sakusen worker list --nats-config prints")

// forbidden does what the server must forbid; nil where it has.
func forbidden(c *nats.Conn, wait time.Duration, do func() error) error {
	before := c.LastError()
	if err := do(); err != nil {
		return err
	}
	if err := c.FlushTimeout(wait); err != nil {
		return err
	}
	// The server's word comes before its answer to the flush.
	if now := c.LastError(); now == before || !errors.Is(now, nats.ErrPermissionViolation) {
		return errUnguarded
	}
	return nil
}
