#!/bin/sh
# Backs up the embedded database while Posthorn runs: back-up.sh <data directory> <new folder>
# Needs psql of any version. Run it as root, or as the user that owns the database files.
# The copy holds every transaction that was committed before the script began, and the secret key.
set -eu
umask 077
data=$(readlink -f "$1")
target=$2
cluster=$(readlink -f "$data/postgres")

mkdir "$target" "$target/postgres"
target=$(readlink -f "$target")
PGPASSWORD=$(cat "$cluster/posthorn-password")
export PGPASSWORD cluster target
# Line 5 of postmaster.pid is the folder of the Unix socket.
socket=$(sed -n 5p "$cluster/postmaster.pid")

# pg_backup_start and pg_backup_stop must run in one session. The temporary slot keeps the write-ahead log that the copy
# needs, and ends with the session. A file may change while tar reads it: the log repairs it when the copy starts.
psql --host="$socket" --username=posthorn --dbname=posthorn --no-psqlrc --quiet --tuples-only --no-align \
  --set=ON_ERROR_STOP=1 --set=label="$target/postgres/backup_label" <<'SQL'
select pg_create_physical_replication_slot('posthorn_backup', true, true) \g /dev/null
select pg_backup_start('posthorn', true) \g /dev/null
\! tar -C "$cluster" --warning=no-file-changed --warning=no-file-removed --exclude='./pg_wal/*' --exclude='./pg_replslot/*' --exclude='./postmaster.*' -cf - . | tar -C "$target/postgres" -xpf - || touch "$target/failed"
select labelfile from pg_backup_stop(false) \g :label
\! tar -C "$cluster" --warning=no-file-changed --warning=no-file-removed -cf - ./pg_wal | tar -C "$target/postgres" -xpf - || touch "$target/failed"
SQL

if [ -e "$target/failed" ] || [ ! -s "$target/postgres/backup_label" ]; then
  echo "back-up.sh: the copy in $target is incomplete. Remove it and try again." >&2
  exit 1
fi
# As root the label belongs to root; the server needs it.
chown --reference="$cluster" "$target/postgres/backup_label"
# If POSTHORN_SECRET_KEY is set, there is no such file. Keep the setting with your backups instead.
[ ! -f "$data/secret-key" ] || cp -p "$data/secret-key" "$target/"
