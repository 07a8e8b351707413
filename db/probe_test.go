package db_test

import (
	"errors"
	"testing"

	"afterimage/internal/secret"
	"afterimage/vcd"
)

func TestAProcessWithAnotherKeyIsTold(t *testing.T) {
	d := openURL(t, database(t), nil)
	service := func(fill byte) *vcd.Service {
		key := make([]byte, secret.KeySize)
		key[0] = fill
		box, err := secret.NewBox(key)
		must(t, err)
		return &vcd.Service{Store: d, Feed: d, Clock: vcd.SystemClock{}, IDs: vcd.RandomIDs{}, Secret: box}
	}
	for range 2 {
		must(t, service(1).CheckSecretKey(t.Context()))
	}
	if err := service(2).CheckSecretKey(t.Context()); !errors.Is(err, vcd.ErrSecretKey) {
		t.Errorf("another key: %v", err)
	}
}
