package account_test

import (
	"errors"
	"testing"

	"afterimage/internal/secret"
	"afterimage/internal/vcdtest"
	"afterimage/vcd"
	"afterimage/vcd/account"
	"afterimage/vcd/app"
)

func TestAProcessWithAnotherKeyIsTold(t *testing.T) {
	d := vcdtest.OpenURL(t, vcdtest.Database(t), nil)
	service := func(fill byte) *app.Service {
		key := make([]byte, secret.KeySize)
		key[0] = fill
		box, err := secret.NewBox(key)
		must(t, err)
		return app.New(app.Config{Store: d, Config: vcd.Config{Feed: d, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Sealer: box}})
	}
	for range 2 {
		must(t, service(1).Accounts.CheckSecretKey(t.Context()))
	}
	if err := service(2).Accounts.CheckSecretKey(t.Context()); !errors.Is(err, account.ErrSecretKey) {
		t.Errorf("another key: %v", err)
	}
}
