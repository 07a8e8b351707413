-- Runs count their comparisons that do not show all of a page; there are few.
CREATE INDEX comparisons_unseen ON comparisons (account_id, batch_id) WHERE unseen <> '';
