-- concurrently
-- For the sweep of stops, which asks for the oldest send of an audience that can still leave.
create index concurrently send_requests_of_audience on send_requests (workspace_id, audience_id, id)
  where audience_id is not null;
