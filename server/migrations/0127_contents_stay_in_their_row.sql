-- A content of up to 4 KB stays in its row as it is. From 2 KB on, PostgreSQL compressed html and texts, which took a
-- fifth of its time for an accept of 3.5 KB, and wrote a message of the relay to the table beside, with an index entry
-- of its own. Two such rows fit into a page (decision 0188).
alter table contents set (toast_tuple_target = 4080);
