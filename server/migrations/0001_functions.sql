-- Functions that the tables lean on. uuidv7() is native from PostgreSQL 18; older servers (15 to 17) get ours.

create or replace function ph_uuidv7() returns uuid language sql volatile parallel safe as $$
  -- RFC 9562 §5.7: 48 bits of Unix milliseconds, version 7, variant 10, the rest random.
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;

-- Refuses the whole statement when a condition does not hold. A reservation (key limit, domain cap) is a CTE of the
-- statement that stores the emails; raising is what undoes the tiers that did have room. SQLSTATE PH429 and PH403
-- are mapped back to errors by the feature that wrote the reservation.
create or replace function ph_require(holds boolean, state text, what text) returns boolean language plpgsql as $$
begin
  if holds is not true then
    raise exception '%', what using errcode = state;
  end if;
  return true;
end
$$;

create or replace function ph_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '42501';
end
$$;
