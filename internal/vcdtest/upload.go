package vcdtest

import (
	"afterimage/vcd"
	"afterimage/vcd/run"
)

// BeginUpload begins an upload of so many shards into a group, or finds the one of the build.
func (w *World) BeginUpload(g *vcd.Group, t vcd.QueueType, build string, shards int) *run.Uploading {
	w.T.Helper()
	begun, err := w.Service.Runs.BeginUpload(w.T.Context(), w.Actor, run.UploadInput{
		GroupID: string(g.ID), Type: t, Build: &build, Shards: &shards,
	})
	Must(w.T, err)
	return begun
}

// Send sends a screenshot that looks as given into an upload, and reports whether it was added.
func (w *World) Send(batch vcd.ID, name, look string) bool {
	w.T.Helper()
	in := run.UploadedInput{Name: name, Device: vcd.Desktop}
	added, err := w.Service.Runs.Upload(w.T.Context(), w.Actor, batch, in, run.Uploaded{Picture: w.Picture(look)})
	Must(w.T, err)
	return added
}

// FinishUpload says that a shard of an upload has sent all its screenshots.
func (w *World) FinishUpload(batch vcd.ID, shard int) *run.Uploading {
	w.T.Helper()
	finished, err := w.Service.Runs.FinishUpload(w.T.Context(), w.Actor, batch, shard)
	Must(w.T, err)
	return finished
}
