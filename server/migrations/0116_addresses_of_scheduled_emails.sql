-- The addresses that a scheduled email names, lower-cased: the last words of the lines of its searched text behind the
-- subject, which is cut off at some length, and its recipients as they were given, without spaces around. The index of
-- the next file is made of it, so an answer for the same values never changes.
create function ph_named_addresses(p_search text, p_body jsonb) returns text[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct named.address), '{}')
    from (
      select substring(btrim(l.line, E' \t\r') from '[^ ]+$')
        from unnest(string_to_array(p_search, E'\n')) with ordinality as l (line, place)
       where l.place > 1
      union all
      select lower(btrim(coalesce(substring(given.mailbox from '<([^<>]*)>[[:space:]]*$'), given.mailbox), E' \t\r\n'))
        from unnest(array[p_body -> 'to', p_body -> 'cc', p_body -> 'bcc']) as field (mailboxes),
             jsonb_array_elements_text(case jsonb_typeof(field.mailboxes) when 'array' then field.mailboxes
               when 'string' then jsonb_build_array(field.mailboxes) else '[]' end) as given (mailbox)
    ) as named (address)
   where named.address <> ''
$$;
