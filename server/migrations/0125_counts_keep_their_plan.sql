-- The server planned the one large statement of this function each time: with the arrays it expects less work than
-- without them, and so does not keep the plan. A call took 0.9 ms of processor time, and takes 0.3 ms (November 2026).
-- A kept plan may have been made while a table was empty: it must not read that table whole when it has grown.
alter function ph_add_counts(uuid[], uuid[], uuid[], timestamptz[], integer[], integer[], text[], integer[])
  set plan_cache_mode = force_generic_plan;
alter function ph_add_counts(uuid[], uuid[], uuid[], timestamptz[], integer[], integer[], text[], integer[])
  set enable_seqscan = off;
