-- Functions that tables of several features lean on.

-- uuidv7() is native from PostgreSQL 18; older servers (15 to 17) get ours.
create function ph_uuidv7() returns uuid language sql volatile parallel safe as $$
  -- RFC 9562 §5.7: 48 bits of Unix milliseconds, version 7, variant 10, the rest random.
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

create function ph_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end
$$;
