-- A search for one character, or for several that are no letters, makes no trigram: for what nobody has the whole list was
-- read (0.4 to 0.6 s of a million, 21 November 2026). Who has which characters is 26 MB of a million; 30 s on a machine
-- with fifteen times the work it can do.
create index subscribers_characters on subscribers
  using gin (string_to_array(email || E'\n' || lower(coalesce(name, '')), null));
