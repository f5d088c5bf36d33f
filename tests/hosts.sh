#!/bin/sh
# Four hosts on one machine: four network namespaces on a bridge, and a launch agent that enters them in the place of ssh.
# Processes on them share nothing but the disk. Usage: hosts.sh CAROM
# All of it is inside of namespaces of its own, which end with the script.
set -u
if [ "${2:-}" != inside ]; then
    [ -e "$(dirname "$1")/carom-mpi.so" ] && command -v mpirun >/dev/null || { echo "skipped: no MPI" && exit 77; }
    command -v ip >/dev/null || { echo "skipped: there is no ip (iproute2)" && exit 77; }
    why=$(unshare -n -m --propagation private sh -c 'mount -t tmpfs none /run && ip netns add a && ip link add name test type bridge' 2>&1) ||
        { echo "skipped: no namespaces here: $why" && exit 77; }
    exec unshare -n -m --propagation private "$0" "$1" inside
fi
carom=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    head -5 "$dir/err" 2>/dev/null
}
mount -t tmpfs none /run
ip link set lo up
ip link add name bridge type bridge && ip addr add 10.77.0.254/24 dev bridge && ip link set bridge up
for i in 1 2 3 4; do
    ip netns add host$i
    ip link add veth$i type veth peer name eth0 netns host$i
    ip link set veth$i master bridge up
    ip -n host$i addr add 10.77.0.$i/24 dev eth0
    ip -n host$i link set eth0 up
    ip -n host$i link set lo up
    echo "host$i slots=1" >>"$dir/hosts"
done
cat >"$dir/agent" <<'AGENT'
#!/bin/sh
# HOST COMMAND...: as ssh would be called
host=$1
shift
exec ip netns exec "$host" unshare -u sh -c "hostname $host; $*"
AGENT
chmod +x "$dir/agent"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 ASAN_OPTIONS=detect_leaks=0
export OMPI_MCA_plm=rsh OMPI_MCA_plm_rsh_agent="$dir/agent" OMPI_MCA_btl=tcp,self
export OMPI_MCA_oob_tcp_if_include=10.77.0.0/24 OMPI_MCA_btl_tcp_if_include=10.77.0.0/24
four() { timeout 120 mpirun --quiet --hostfile "$dir/hosts" -n 4 "$@"; }

# shellcheck disable=SC2016
names=$(four sh -c 'echo $(hostname) $(ip -br addr show eth0)' 2>"$dir/err" | sort | tr -s ' ' | cut -d' ' -f1,4 | tr '\n' ' ')
[ "$names" = "host1 10.77.0.1/24 host2 10.77.0.2/24 host3 10.77.0.3/24 host4 10.77.0.4/24 " ] || fail "four hosts, but: $names"

"$carom" bench bank --seeds 1-24 >"$dir/one" 2>"$dir/err" || fail "bench"
four "$carom" bench bank --seeds 1-24 >"$dir/four" 2>"$dir/err" || fail "bench on four hosts"
for file in one four; do cut -d, -f1-7,12 "$dir/$file" >"$dir/$file.rows"; done
cmp -s "$dir/one.rows" "$dir/four.rows" || fail "rows of a bench"

"$carom" plan windmill --portfolio 1-8 -o "$dir/one.json" >"$dir/out" 2>"$dir/err" || fail "portfolio"
four "$carom" plan windmill --portfolio 1-8 -o "$dir/four.json" >"$dir/out" 2>"$dir/err" || fail "portfolio on four hosts"
cmp -s "$dir/one.json" "$dir/four.json" || fail "plan of a portfolio"

# An experiment, whose process on host3 is killed.
timeless() { sed -E 's/\| [0-9.]+ ± [0-9.]+ \|/| |/' "$1"; }
count() { grep -c ',[0-9a-f]\{16\}$' "$1" 2>/dev/null; }
"$carom" experiment table-6.1 --quick -o "$dir/e1" >"$dir/table" 2>"$dir/err" || fail "experiment"
four "$carom" experiment table-6.1 --quick -o "$dir/e4" >"$dir/out" 2>"$dir/err" &
job=$!
until [ "$(count "$dir/e4/runs.csv")" -ge 2 ] 2>/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
for pid in $(ip netns pids host3); do
    [ "$(readlink "/proc/$pid/exe")" = "$(readlink -f "$carom")" ] && kill -9 "$pid"
done
wait $job
ended=$?
before=$(count "$dir/e4/runs.csv")
four "$carom" experiment table-6.1 --quick -o "$dir/e4" >"$dir/out" 2>"$dir/err" || fail "after the kill"
timeless "$dir/table" >"$dir/a"
timeless "$dir/out" >"$dir/b"
cmp -s "$dir/a" "$dir/b" || fail "the table after the kill"
after=$(count "$dir/e4/runs.csv")
[ "$after" -eq "$(count "$dir/e1/runs.csv")" ] || fail "$after records"
[ "$(cut -d, -f1-3 "$dir/e4/runs.csv" | sort -u | grep -c @)" -eq "$after" ] || fail "a search was done twice"
echo "the process on host3 killed (mpirun ended with $ended): $before of $after searches done; the second command did $((after - before))"
[ "$failed" -eq 0 ] && echo "4 passed, 0 failed"
[ "$failed" -eq 0 ]
