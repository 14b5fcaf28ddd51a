#!/usr/bin/env bash
# postgres_server.sh start|stop|kill|restart FOLDER: a PostgreSQL server of its own for tests, on a Unix socket.
# `start` makes a cluster and writes its address to FOLDER/url; where PostgreSQL is not installed it writes the reason to
# FOLDER/missing, and tests skip themselves by name. `kill` ends the server as a crash does, and `restart` starts it again.
# GDKM_POSTGRES_FSYNC=on makes it as safe, and as slow, as a real one.
#
# A server refuses to run as root, so that root becomes the user postgres, or nobody. Its files are in a folder below
# /tmp, because the path of a socket must be short.
set -euo pipefail

command=$1 folder=$2
mkdir -p "$folder"

find_tools() {
  local candidate
  for candidate in "$(command -v initdb || true)" /usr/lib/postgresql/*/bin/initdb /usr/pgsql-*/bin/initdb; do
    [[ ! -x $candidate ]] || tools=$(dirname "$candidate")
  done
}

# As a user that may run a server.
as_user() {
  if ((EUID != 0)); then
    "$@"
  else
    setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups env HOME="$place" "$@"
  fi
}

start_server() {
  as_user "$tools/pg_ctl" -D "$place/data" -l "$place/log" -w -t 60 start >/dev/null
}

tools="" place="" user=postgres
id postgres >/dev/null 2>&1 || user=nobody
find_tools
[[ ! -f $folder/place ]] || place=$(<"$folder/place")

case $command in
  start)
    rm -f "$folder/url" "$folder/missing" "$folder/place"
    if [[ -z $tools ]]; then
      echo "there is no PostgreSQL server; install the package postgresql" >"$folder/missing"
      exit 0
    fi
    place=$(mktemp -d /tmp/gdkm-postgres.XXXXXX)
    echo "$place" >"$folder/place"
    ((EUID != 0)) || chown "$user" "$place"
    cd "$place"
    as_user "$tools/initdb" -D "$place/data" -U gdkm --auth=trust --encoding=UTF8 --locale=C --no-sync >/dev/null
    as_user tee -a "$place/data/postgresql.conf" >/dev/null <<SETTINGS
listen_addresses = ''
unix_socket_directories = '$place'
fsync = ${GDKM_POSTGRES_FSYNC:-off}
max_connections = 200
log_statement = none
SETTINGS
    # One user must give a password.
    printf 'local all guarded scram-sha-256\nlocal all all trust\n' | as_user tee "$place/data/pg_hba.conf" >/dev/null
    start_server
    as_user "$tools/createdb" -h "$place" -U gdkm gdkm
    as_user "$tools/psql" -q -h "$place" -U gdkm -d gdkm -c "CREATE ROLE guarded LOGIN PASSWORD 'open sesame'" \
      -c "GRANT CREATE ON DATABASE gdkm TO guarded"
    echo "postgresql://gdkm@/gdkm?host=$place" >"$folder/url"
    ;;
  stop)
    [[ -n $place && -d $place ]] || exit 0
    as_user "$tools/pg_ctl" -D "$place/data" -m immediate stop >/dev/null 2>&1 || true
    rm -rf "$place"
    rm -f "$folder/url" "$folder/place" "$folder/missing"
    ;;
  kill)
    # The postmaster; its children notice and end.
    kill -KILL "$(head -n 1 "$place/data/postmaster.pid")"
    ;;
  restart)
    cd "$place"
    # What is left of the killed server must be gone first: it holds the memory that they shared.
    for _ in {1..100}; do
      if start_server 2>/dev/null; then exit 0; fi
      sleep 0.1
    done
    cat "$place/log" >&2
    exit 1
    ;;
  *)
    echo "postgres_server.sh: expected start, stop, kill or restart, got '$command'" >&2
    exit 2
    ;;
esac
