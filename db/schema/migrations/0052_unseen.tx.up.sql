-- What of a page its screenshots do not show: a comparison says nothing about it.
ALTER TABLE screenshots
    ADD COLUMN complete boolean; -- null where it was not measured

ALTER TABLE comparisons
    ADD COLUMN unseen text NOT NULL DEFAULT '', -- in a clause; empty for nothing
    ADD COLUMN unseen_alarm boolean NOT NULL DEFAULT false; -- this alone is an alarm

ALTER TABLE accounts
    ADD COLUMN alarm_unseen boolean NOT NULL DEFAULT false; -- the owner wants such alarms
