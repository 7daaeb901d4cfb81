# HDFS: one data node, or three.

# hdfs_conf VARIANT NN_PORT HTTP_PORT REPLICATION HOSTNAME [extra core k=v ...] [-- extra hdfs k=v ...]
hdfs_conf() {
  local v=$1 nn=$2 http=$3 rep=$4 host=$5 core=() hdfs=(); shift 5
  while [ $# -gt 0 ] && [ "$1" != -- ]; do core+=("$1"); shift; done
  [ $# -gt 0 ] && shift; hdfs=("$@")
  local d=$H/data/$v; mkdir -p "$d"/conf/webapps/{hdfs,datanode}   # the jar has no webapps; empty ones serve WebHDFS and JMX
  log4j1_conf "$d/conf"
  site "$d/conf/core-site.xml" "fs.defaultFS=hdfs://$host:$nn" "hadoop.tmp.dir=$d/tmp" \
    "hadoop.proxyuser.root.hosts=*" "hadoop.proxyuser.root.groups=*" \
    "ipc.client.connect.max.retries=5" ${core+"${core[@]}"}
  site "$d/conf/hdfs-site.xml" "dfs.replication=$rep" \
    "dfs.namenode.rpc-address=$host:$nn" "dfs.namenode.http-address=$host:$http" "dfs.namenode.name.dir=file://$d/name" \
    "dfs.namenode.safemode.extension=0" "dfs.namenode.fs-limits.min-block-size=512" \
    "dfs.namenode.datanode.registration.ip-hostname-check=false" "dfs.namenode.handler.count=4" \
    "dfs.heartbeat.interval=1" "dfs.namenode.heartbeat.recheck-interval=3000" \
    "dfs.namenode.stale.datanode.interval=3000" "dfs.namenode.redundancy.interval.seconds=1s" \
    "dfs.datanode.hostname=$host" "dfs.datanode.handler.count=4" "dfs.datanode.du.reserved=0" \
    "dfs.disk.balancer.enabled=false" "dfs.webhdfs.enabled=true" ${hdfs+"${hdfs[@]}"}
}
# start_nn VARIANT; start_dn VARIANT INDEX BASE_PORT HOSTNAME
start_nn() {
  local v=$1 cp d=$H/data/$1; cp=$(cp_of hadoop) || return 1; hadoop_java
  [ -d "$d/name/current" ] || "${HJ[@]}" ${KRB_OPTS:-} -Xmx256m -cp "$d/conf:$cp" org.apache.hadoop.hdfs.server.namenode.NameNode \
      -format -nonInteractive -clusterid "CID-$v" >"$d/format.log" 2>&1 || { tail -n 30 "$d/format.log" >&2; return 1; }
  launch "$v-nn" "${HJ[@]}" ${KRB_OPTS:-} ${NAMENODE_OPTS:--Xmx384m} -cp "$d/conf:$cp" org.apache.hadoop.hdfs.server.namenode.NameNode
}
start_dn() {
  local v=$1 i=$2 port=$(( $3 + 10 * $2 )) host=$4 cp d=$H/data/$1; cp=$(cp_of hadoop) || return 1; hadoop_java
  launch "$v-dn$i" "${HJ[@]}" ${KRB_OPTS:-} ${DATANODE_OPTS:--Xmx256m} -cp "$d/conf:$cp" org.apache.hadoop.hdfs.server.datanode.DataNode \
    -D dfs.datanode.data.dir="file://$d/dn$i" -D dfs.datanode.address="$host:$port" \
    -D dfs.datanode.http.address="$host:$((port + 1))" -D dfs.datanode.ipc.address="$host:$((port + 2))"
  DN_IPC+=" $v-dn$i:$((port + 2))"
}
dns_open() { # every datanode that start_dn was asked for answers
  local x; for x in $DN_IPC; do wait_for "${x%:*}" 60 port_open "${x#*:}" || return 1; done
}
DN_IPC=
nn_ready() { # HTTP_PORT DATANODES: out of safe mode with at least that many live datanodes
  local n
  n=$(http_get "http://localhost:$1/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState" | sed -n 's/.*"NumLiveDataNodes" : \([0-9]*\).*/\1/p')
  [ "${n:-0}" -ge "$2" ] &&
  http_has "http://localhost:$1/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo" '"Safemode" : ""'
}
start_hdfs() {
  hdfs_conf hdfs "$HDFS_PORT" "$HDFS_HTTP_PORT" 1 "$HOST"
  start_nn hdfs && start_dn hdfs 1 "$((HDFS_DN_PORT - 10))" "$HOST" && dns_open && wait_for hdfs-nn 60 nn_ready "$HDFS_HTTP_PORT" 1
}
procs_hdfs() { echo hdfs-nn hdfs-dn1 | tr ' ' '\n'; }
start_hdfs3() {
  local i
  # shellcheck disable=SC2086
  hdfs_conf hdfs3 "$HDFS3_PORT" "$HDFS3_HTTP_PORT" 3 "$HOST" -- ${HDFS3_EXTRA:-}
  start_nn hdfs3 || return 1
  for ((i = 1; i <= HDFS3_DATANODES; i++)); do start_dn hdfs3 $i "$((HDFS3_DN_PORT - 10))" "$HOST" || return 1; done
  dns_open && wait_for hdfs3-nn 60 nn_ready "$HDFS3_HTTP_PORT" "$HDFS3_DATANODES"
}
procs_hdfs3() {
  local i; echo hdfs3-nn
  for i in 1 2 3 4 5 6; do if [ "$i" -le "$HDFS3_DATANODES" ] || [ -f "$H/run/hdfs3-dn$i.pid" ]; then echo "hdfs3-dn$i"; fi; done
}
hdfs_cli() { # VARIANT: services VARIANT dfs|dfsadmin|fsck|oev|Class ARGS...
  local v=$1 cp d=$H/data/$1 m; shift
  cp=$(cp_of hadoop) || exit 1; hadoop_java
  [ -d "$d/conf" ] || die "$v was never started"
  case ${1:-} in
    dfs|fs) m=org.apache.hadoop.fs.FsShell;; dfsadmin) m=org.apache.hadoop.hdfs.tools.DFSAdmin;;
    fsck) m=org.apache.hadoop.hdfs.tools.DFSck;; debug) m=org.apache.hadoop.hdfs.tools.DebugAdmin;;
    ec) m=org.apache.hadoop.hdfs.tools.ECAdmin;;
    *.java) m=$KIT/hadoop/$1;;
    *) die "$v: dfs, dfsadmin, fsck, ec or debug, then their arguments";;
  esac
  shift; exec "${HJ[@]}" ${KRB_OPTS:-} -Xmx256m -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp "$H/conf/quiet:$d/conf:$cp" "$m" "$@"
}

check_dfs() { # VARIANT DIR
  local w=hello-$RANDOM$RANDOM
  echo "$w" >"$H/data/$1/probe" && (hdfs_cli "$1" dfs -mkdir -p "$2") && (hdfs_cli "$1" dfs -put -f "$H/data/$1/probe" "$2/probe") &&
    [ "$(hdfs_cli "$1" dfs -cat "$2/probe")" = "$w" ]
}
check_hdfs() { check_dfs hdfs /check && [ "$(curl -sL "http://$HOST:$HDFS_HTTP_PORT/webhdfs/v1/check/probe?op=OPEN")" = "$(cat "$H/data/hdfs/probe")" ]; }
check_hdfs3() { check_dfs hdfs3 /check; }
