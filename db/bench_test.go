package db_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
	"afterimage/vcd/inventory"
	"afterimage/vcd/run"
)

// benchWorld is an account with n groups of ten URLs each.
func benchWorld(b *testing.B, n int) (*db.DB, *app.Service, vcd.Actor, []string) {
	b.Helper()
	url := vcdtest.Database(b)
	d := vcdtest.OpenURL(b, url, vcdtest.NewTableQueue)
	if _, err := d.Pool().Exec(b.Context(), vcdtest.JobTable); err != nil {
		b.Fatal(err)
	}
	s := app.New(app.Config{Store: d, Config: vcd.Config{
		Feed: d, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: vcdtest.OpenBox{}, RetryDelay: time.Second,
	}})
	a, _, err := s.Accounts.CreateAccount(b.Context(), account.Input{NameFirst: "A", NameLast: "B", Email: "a@example.com"})
	if err != nil {
		b.Fatal(err)
	}
	actor := vcd.Actor{Account: a.ID}
	var groups []string
	for i := range n {
		g, err := s.Inventory.CreateGroup(b.Context(), actor, inventory.GroupChange{Name: vcd.Some(fmt.Sprint("group ", i))})
		if err != nil {
			b.Fatal(err)
		}
		groups = append(groups, string(g.ID))
		var sels []inventory.SelectionChange
		for j := range 10 {
			u, err := s.Inventory.CreateURL(b.Context(), actor, inventory.URLChange{URL: vcd.Some(fmt.Sprintf("bench.test/%d/%d", i, j))})
			if err != nil {
				b.Fatal(err)
			}
			sels = append(sels, inventory.SelectionChange{URLID: string(u.ID)})
		}
		if _, err := s.Inventory.AddURLs(b.Context(), actor, g.ID, sels); err != nil {
			b.Fatal(err)
		}
	}
	return d, s, actor, groups
}

func BenchmarkListOf15Groups(b *testing.B) {
	_, s, actor, _ := benchWorld(b, 40)
	for b.Loop() {
		if _, err := s.Inventory.Groups(b.Context(), actor, vcd.GroupFilter{}, vcd.Page{Size: 15, Number: 1, Total: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTokenLookUp(b *testing.B) {
	_, s, actor, _ := benchWorld(b, 1)
	token, err := s.Accounts.CreateToken(b.Context(), actor, nil, account.TokenChange{Name: vcd.Some("bench")})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := s.Accounts.Authenticate(b.Context(), token.Plain); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvent is the smallest change there is, by many writers of one account.
func BenchmarkEvent(b *testing.B) {
	d, s, actor, groups := benchWorld(b, 1)
	b.SetParallelism(8)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			err := d.InTx(b.Context(), actor, func(ctx context.Context, tx *db.Tx) error {
				return tx.AppendEvents(ctx, &vcd.Event{Kind: vcd.EventGroupUpdated, SubjectType: vcd.SubjectGroup,
					SubjectID: vcd.ID(groups[0]), CreatedAt: s.Config().Clock.Now()})
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTakeScreenshots starts runs of 2,000 screenshots.
func BenchmarkTakeScreenshots(b *testing.B) {
	_, s, actor, groups := benchWorld(b, 100)
	for b.Loop() {
		if _, err := s.Runs.TakeScreenshots(b.Context(), actor, run.TakeInput{GroupIDs: groups, Type: vcd.QueuePost}); err != nil {
			b.Fatal(err)
		}
	}
}
