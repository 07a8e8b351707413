package schema_test

import (
	"slices"
	"testing"
	"time"

	"afterimage/db"
	"afterimage/db/seed"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

// BenchmarkRoles asks the same as the owner of the tables and as roles that own nothing, in turn, and tells the medians of both. The tables
// of the latter are guarded by proofs (decision 77).
func BenchmarkRoles(b *testing.B) {
	url := vcdtest.Database(b)
	owner := vcdtest.OpenURL(b, url, vcdtest.NewIdleQueue)
	serve := func(d *db.DB) *app.Service {
		return app.New(app.Config{
			Store:  d,
			Config: vcd.Config{Feed: d, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: vcdtest.OpenBox{}},
		})
	}
	services := []*app.Service{serve(owner), nil}
	a, _, err := services[0].Accounts.CreateAccount(b.Context(), account.Input{NameFirst: "A", NameLast: "B", Email: "a@example.com"})
	if err != nil {
		b.Fatal(err)
	}
	if err := seed.Fill(b.Context(), owner.Pool(), a.ID, seed.Size{Groups: 100, URLs: 50, Batches: 6}, true); err != nil {
		b.Fatal(err)
	}
	roles := vcdtest.AsRoles(b, db.Config{URL: url, Queue: vcdtest.NewIdleQueue, Reach: 2 * vcdtest.Patience})
	services[1] = serve(vcdtest.OpenWith(b, roles))
	actor := vcd.Actor{Account: a.ID}
	token, err := services[0].Accounts.CreateToken(b.Context(), actor, nil, account.TokenChange{Name: vcd.Some("bench")})
	if err != nil {
		b.Fatal(err)
	}
	for name, ask := range map[string]func(s *app.Service) error{
		"15 groups": func(s *app.Service) error {
			_, err := s.Inventory.Groups(b.Context(), actor, vcd.GroupFilter{}, vcd.Page{Size: 15, Number: 1, Total: true})
			return err
		},
		"15 comparisons": func(s *app.Service) error {
			_, err := s.Reviews.Comparisons(b.Context(), actor, vcd.ComparisonFilter{}, vcd.Page{Size: 15, Number: 1}, true)
			return err
		},
		"a token": func(s *app.Service) error {
			_, _, err := s.Accounts.Authenticate(b.Context(), token.Plain)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			var took [2][]time.Duration
			for b.Loop() {
				for i, s := range services {
					began := time.Now()
					if err := ask(s); err != nil {
						b.Fatal(err)
					}
					took[i] = append(took[i], time.Since(began))
				}
			}
			for i, unit := range []string{"µs/owner", "µs/roles"} {
				slices.Sort(took[i])
				b.ReportMetric(float64(took[i][len(took[i])/2])/1e3, unit)
			}
		})
	}
}
