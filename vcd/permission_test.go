package vcd

import "testing"

func TestNobodyHasAPermissionThatDoesNotExist(t *testing.T) {
	holder := Actor{Token: "t", Permissions: AllPermissions()}
	for _, p := range AllPermissions().List() {
		if !holder.May(p) {
			t.Errorf("a token with all permissions may not %s", p)
		}
	}
	if holder.May("manage") || holder.May("") {
		t.Error("an unknown permission is granted")
	}
}
