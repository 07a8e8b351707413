package main

import (
	"net/http"
	"net/url"

	"afterimage/graph"
	"afterimage/internal/deadline"
	"afterimage/internal/edge"
	"afterimage/web"
)

// mountDashboard answers at the dashboard's addresses. Who is not signed in is sent to the sign-in page, which leads back.
func mountDashboard(mux *http.ServeMux, signedIn *graph.Server) {
	signIn := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/signin/?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	})
	document := signedIn.SignedIn(edge.CompressStatic(web.AppDocument()), signIn)
	for _, path := range web.AppPaths() {
		mux.Handle(path, deadline.Answers(document, answerPatience))
	}
	mux.Handle(web.AppFiles, deadline.Answers(edge.CompressStatic(web.AppAssets()), answerPatience))
}
