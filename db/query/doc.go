// Package query builds statements that read and change the rows of one account: pages of lists, counts by day, and the pieces that
// the statements of several rooms have in common. It knows neither connections nor rooms.
package query
