package films

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"sakusen/strategies"
	"sakusen/tuner/service"
)

const replaySample = "../../../engines/tubstap/testdata/bestsingle.sgf"

// A replay file becomes a film with the result of its game; one that the rules
// refuse is a problem that names the line, the turn or the field.
func TestServeRecord(t *testing.T) {
	text, err := os.ReadFile(replaySample)
	if err != nil {
		t.Fatal(err)
	}
	studio := newTestTheatre()
	whole := string(text)
	half := whole[:strings.Index(whole, "TURNINFO[2,")]
	for _, c := range []struct {
		name, record string
		frames       int // at least
		result, note string
	}{
		{"whole", whole, 10, "Sample_MaxActionEvalFunc", ""},
		{"half", half, 4, "", "ends before the game does"},
		{"no turn", whole[:strings.Index(whole, "TURNINFO[0,")], 1, "", "ends before the game does"},
		{"no name", strings.ReplaceAll(half, "[Sample_MaxActionEvalFunc]", "[]"), 4, "", "ends before the game does"},
		{"names of any coding", strings.ReplaceAll(whole, "[Sample_MaxActionEvalFunc]", "[\x83\x01<b>]"), 10, "<b>", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			showing, err := studio.Open(context.Background(), Ticket{Game: "tubstap", Record: c.record})
			if err != nil {
				t.Fatal(err)
			}
			if !showing.Film.Record || len(showing.Film.Seats) != 2 || showing.Film.Seats[0].Name == "" {
				t.Errorf("the film is %+v", showing.Film)
			}
			frames := 0
			end, err := showing.Play(context.Background(), func(f FilmFrame) error {
				if f.Step != frames || f.Text == "" || f.SVG == "" {
					t.Errorf("frame %d is %d, %q, %d bytes", frames, f.Step, f.Text, len(f.SVG))
				}
				frames++
				return nil
			})
			if err != nil || frames < c.frames || end.Note == "" && c.note != "" || !strings.Contains(end.Note, c.note) {
				t.Errorf("%d frames, %+v, %v", frames, end, err)
			}
			if (c.result != "") != (len(end.Scores) == 2) || c.result != "" && (!strings.Contains(end.Scores[0].Name, c.result) || end.Scores[0].Score+end.Scores[1].Score != 1) {
				t.Errorf("the result is %+v", end.Scores)
			}
			left := errors.New("the watcher left")
			if _, err := showing.Play(context.Background(), func(FilmFrame) error { return left }); !errors.Is(err, left) {
				t.Errorf("left at once: %v", err)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, err := showing.Play(ctx, func(FilmFrame) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("cancelled: %v", err)
			}
		})
	}
	for _, c := range []struct {
		ticket Ticket
		want   string
	}{
		{Ticket{Game: "tubstap", Record: "no map"}, "record: "},
		{Ticket{Game: "tubstap", Record: strings.Replace(whole, "ACTION[0,4,3", "ACTION[0,4,4", 1)}, "record: turn 0, action 0: "},
		{Ticket{Game: "tubstap", Record: strings.Replace(whole, "TURNINFO[0,0,3]", "TURNINFO[0,0,4]", 1)}, "lacks 1 of its actions"},
		{Ticket{Game: "chess", Record: whole}, "chess"},
		{Ticket{Game: "lifeboats", Record: whole}, "no replay files"},
		{Ticket{Game: "tubstap", Record: whole, Rules: map[string]Text{"map": "own02"}}, "expected only antiair_infantry"},
		{Ticket{Game: "tubstap", Record: whole, Rules: map[string]Text{"antiair_infantry": "7"}}, "antiair_infantry"},
	} {
		_, err := studio.Open(context.Background(), c.ticket)
		var p *service.Error
		if !errors.As(err, &p) || p.Code != service.Invalid || !strings.Contains(p.Text()+strings.Join(p.Details, "\n"), c.want) {
			t.Errorf("%.40q with %v: %v, want %q", c.ticket.Record, c.ticket.Rules, err, c.want)
		}
	}
}

// FuzzServeRecord: whatever the file, the answer is a film or a problem of the
// asker's.
func FuzzServeRecord(f *testing.F) {
	text, err := os.ReadFile(replaySample)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add("SIZEX[3];SIZEY[3];TURNLIMIT[1];HPTHRESHOLD[0];UNITNUMRED[0];UNITNUMBLUE[0];MAP[0,0,0];MAP[0,1,0];MAP[0,0,0];")
	studio := newTestTheatre()
	f.Fuzz(func(t *testing.T, record string) {
		if record == "" || len(record) > 1<<16 {
			return
		}
		showing, err := studio.Open(context.Background(), Ticket{Game: "tubstap", Record: record})
		if err != nil {
			if service.CodeOf(err) != service.Invalid {
				t.Errorf("%v", err)
			}
			return
		}
		if _, err := showing.Play(context.Background(), func(FilmFrame) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

func newTestTheatre() *Studio {
	return &Studio{games: strategies.All()}
}
