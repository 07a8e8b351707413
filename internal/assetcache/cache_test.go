package assetcache_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"afterimage/internal/assetcache"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func key(name string) assetcache.Key {
	r := request()
	r.URL += "?" + name
	k, _ := r.Key()
	return k
}

func asset(body string) *assetcache.Asset {
	return assetcache.NewAsset(nil, []byte(body), time.Now(), assetcache.MaxLifetime)
}

// ask asks and returns the outcome with the body, and a channel of the later answer.
func ask(v *assetcache.Visit, k assetcache.Key, request string) (assetcache.Outcome, string, <-chan *assetcache.Asset) {
	later := make(chan *assetcache.Asset, 1)
	outcome, a := v.Ask(k, request, func(a *assetcache.Asset) { later <- a })
	if a == nil {
		return outcome, "", later
	}
	return outcome, string(a.Body), later
}

func want(t *testing.T, v *assetcache.Visit, name string, outcome assetcache.Outcome, body string) <-chan *assetcache.Asset {
	t.Helper()
	got, text, later := ask(v, key(name), "request")
	if got != outcome || text != body {
		t.Fatalf("%s: outcome %d with %q, want %d with %q", name, got, text, outcome, body)
	}
	return later
}

func TestNothingIsSharedWithoutACache(t *testing.T) {
	visit := assetcache.New(0).Scope("a").Join()
	want(t, visit, "x", assetcache.Pass, "")
	visit.Store(key("x"), asset("x"))
	visit.Refuse(key("x"))
	visit.Fail(key("x"))
	visit.Leave()
	assetcache.New(-1).Clear()
}

func TestOneFetchesForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := assetcache.New(1 << 20)
		one, two, three := cache.Scope("a").Join(), cache.Scope("a").Join(), cache.Scope("b").Join()
		want(t, one, "x", assetcache.Fetch, "")
		want(t, one, "x", assetcache.Fetch, "") // the browser repeats its request
		later := want(t, two, "x", assetcache.Wait, "")
		want(t, three, "x", assetcache.Fetch, "") // another batch
		two.Store(key("x"), asset("forged"))      // it does not fetch
		one.Store(key("x"), asset("x"))
		if a := <-later; a == nil || string(a.Body) != "x" {
			t.Fatalf("the second visit got %v", a)
		}
		want(t, two, "x", assetcache.Hit, "x")
		want(t, cache.Scope("a").Join(), "x", assetcache.Hit, "x")

		want(t, one, "y", assetcache.Fetch, "")
		later = want(t, two, "y", assetcache.Wait, "")
		one.Refuse(key("y"))
		if <-later != nil {
			t.Fatal("a refused asset was shared")
		}
		want(t, two, "y", assetcache.Pass, "")
		time.Sleep(31 * time.Second)
		want(t, two, "y", assetcache.Fetch, "")

		want(t, one, "z", assetcache.Fetch, "")
		later = want(t, two, "z", assetcache.Wait, "")
		one.Leave() // the capture failed
		one.Leave()
		if <-later != nil {
			t.Fatal("an asset came from a visit that ended")
		}
		want(t, two, "z", assetcache.Fetch, "")
		cache.Clear()
	})
}

func TestNobodyWaitsForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := assetcache.New(1 << 20)
		slow, fast, gone := cache.Scope("a").Join(), cache.Scope("a").Join(), cache.Scope("a").Join()
		want(t, slow, "x", assetcache.Fetch, "")
		later, never := want(t, fast, "x", assetcache.Wait, ""), want(t, gone, "x", assetcache.Wait, "")
		begin := time.Now()
		gone.Leave()
		if a := <-later; a != nil || time.Since(begin) != 2*time.Second {
			t.Fatalf("got %v after %s", a, time.Since(begin))
		}
		slow.Store(key("x"), asset("x"))
		synctest.Wait()
		if len(never) > 0 {
			t.Error("a visit that has ended was answered")
		}
		want(t, fast, "x", assetcache.Hit, "x")
		slow.Leave()
		fast.Leave()
		cache.Clear()
	})
}

func TestABatchLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cache := assetcache.New(1 << 20)
		visit := cache.Scope("a").Join()
		want(t, visit, "x", assetcache.Fetch, "")
		visit.Store(key("x"), asset("x"))
		time.Sleep(2 * time.Minute) // a long capture
		visit.Leave()
		time.Sleep(59 * time.Second)
		visit = cache.Scope("a").Join()
		want(t, visit, "x", assetcache.Hit, "x")
		time.Sleep(3 * time.Minute)
		want(t, visit, "x", assetcache.Fetch, "") // five minutes old: fetched again
		visit.Store(key("x"), asset("new"))
		visit.Leave()
		if got := cache.Stats(); got.Scopes != 1 || got.Assets != 1 {
			t.Fatalf("%+v", got)
		}
		time.Sleep(61 * time.Second)
		if got := cache.Stats(); got != (assetcache.Stats{}) {
			t.Errorf("a batch that ended left %+v", got)
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	const limit = 64 << 10
	cache := assetcache.New(limit)
	visit := cache.Scope("a").Join()
	defer cache.Clear()
	defer visit.Leave()
	for i := range 100 {
		want(t, visit, fmt.Sprint(i), assetcache.Fetch, "")
		visit.Store(key(fmt.Sprint(i)), asset(strings.Repeat("x", 5000)))
		want(t, visit, "0", assetcache.Hit, strings.Repeat("x", 5000)) // the last used ones stay
	}
	got := cache.Stats()
	if got.Bytes > limit || got.Assets != limit/(5000+1024) {
		t.Errorf("%+v", got)
	}
	want(t, visit, "large", assetcache.Fetch, "")
	visit.Store(key("large"), asset(strings.Repeat("x", limit)))
	if now := cache.Stats(); now != got {
		t.Errorf("%+v after an asset that does not fit", now)
	}
	for i := range 2000 {
		if outcome, _, _ := ask(visit, key(fmt.Sprint("flying", i)), "request"); outcome != assetcache.Fetch && i < 1999 {
			t.Fatalf("request %d has outcome %d", i, outcome)
		}
	}
	want(t, visit, "one more", assetcache.Pass, "")
	var joined []*assetcache.Visit
	for i := range 1100 {
		joined = append(joined, cache.Scope(fmt.Sprint(i)).Join())
	}
	if cache.Stats().Scopes > 1000 || joined[1099] != nil {
		t.Errorf("%+v", cache.Stats())
	}
	for _, v := range joined {
		v.Leave()
	}
}

// TestManyVisits has visits of several batches ask, fetch, fail and leave at random, and checks that each gets what its own
// batch fetched.
func TestManyVisits(t *testing.T) {
	cache := assetcache.New(200 << 10)
	var all sync.WaitGroup
	for worker := range 16 {
		all.Go(func() {
			dice := rand.New(rand.NewPCG(1, uint64(worker)))
			for range 200 {
				batch := fmt.Sprint("batch", dice.IntN(4))
				visit := cache.Scope(batch).Join()
				var answers sync.WaitGroup
				for range 10 {
					name := fmt.Sprint(dice.IntN(30))
					mine := func(a *assetcache.Asset) {
						if a != nil && !strings.HasPrefix(string(a.Body), batch+" "+name+" ") {
							t.Errorf("%s got %.40q for %s", batch, a.Body, name)
						}
					}
					answers.Add(1)
					outcome, a := visit.Ask(key(name), name, func(a *assetcache.Asset) { mine(a); answers.Done() })
					if mine(a); outcome != assetcache.Wait {
						answers.Done()
					}
					if outcome == assetcache.Fetch {
						end(visit, dice, key(name), batch+" "+name+" "+strings.Repeat("x", dice.IntN(10_000)))
					}
				}
				if dice.IntN(2) == 0 {
					answers.Wait()
				}
				visit.Leave()
			}
		})
	}
	all.Wait()
	cache.Clear()
	if got := cache.Stats(); got != (assetcache.Stats{}) {
		t.Errorf("%+v is left", got)
	}
}

func end(visit *assetcache.Visit, dice *rand.Rand, k assetcache.Key, body string) {
	switch dice.IntN(10) {
	case 0:
		visit.Fail(k)
	case 1:
		visit.Refuse(k)
	case 2: // it is still on its way when the visit ends
	default:
		visit.Store(k, asset(body))
	}
}

func TestAnAssetHasNoTraceOfItsTransfer(t *testing.T) {
	now := time.Now()
	a := assetcache.NewAsset(fields("Content-Type: text/css\nContent-Encoding: br\nContent-Length: 7\nTransfer-Encoding: chunked\n"+
		"Connection: close\nAge: 9\nx y: 1\nX-Umlaut: ä\nETag: \"1\""), []byte("body"), now, time.Minute)
	for range 2 {
		got := fmt.Sprint(a.HeadersAt(now.Add(3500 * time.Millisecond)))
		if got != `[{Content-Type text/css} {ETag "1"} {Age 3}]` {
			t.Error(got)
		}
	}
}
