package query

// Undeleted is the condition that a row belongs to no batch that was deleted: such a row is no longer shown, although it may take some
// seconds until it is removed. The account is ?0. There are hardly ever such batches; one look-up in an index settles it for the whole
// statement.
func Undeleted(batch string) string {
	return batch + " <> ALL (ARRAY(SELECT gone.id FROM batches AS gone WHERE gone.account_id = ?0 AND gone.deleted_at IS NOT NULL))"
}
