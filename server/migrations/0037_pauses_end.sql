-- Why a send is paused, for programs, and when the reason is expected to end. Null: a person ends the pause.
alter table send_requests add column pause_code text;
alter table send_requests add column resumes_at timestamptz;
