-- The document that an editor made html_body from, as it came: `json` keeps the order of keys, and nothing looks in it.
alter table issues add column editor json;
