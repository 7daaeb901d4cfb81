# ZooKeeper, one node.

start_zookeeper() {
  local cp d=$H/data/zookeeper
  cp=$(cp_of zookeeper) || return 1
  mkdir -p "$d/snap" "$d/conf"
  cat >"$d/conf/zoo.cfg" <<X
tickTime=1000
initLimit=10
syncLimit=5
dataDir=$d/snap
clientPortAddress=$HOST
clientPort=$ZOOKEEPER_PORT
admin.enableServer=false
4lw.commands.whitelist=*
maxClientCnxns=0
X
  log4j1_conf "$d/conf"
  launch zookeeper "$JAVA" ${ZOOKEEPER_OPTS:--Xmx256m} -cp "$d/conf:$cp" \
    org.apache.zookeeper.server.quorum.QuorumPeerMain "$d/conf/zoo.cfg"
  wait_for zookeeper 60 zk_ok "$ZOOKEEPER_PORT"
}
procs_zookeeper() { echo zookeeper; }
zk_ok() { [ "$( (exec 3<>"/dev/tcp/$HOST/$1"; printf ruok >&3; timeout 2 cat <&3) 2>/dev/null)" = imok ]; }

check_zookeeper() { zk_ok "$ZOOKEEPER_PORT"; }
