# HBase.

# One process: master, region server and ZooKeeper; and the Thrift2 and REST gateways.
hbase_conf() {
  local d=$H/data/hbase; mkdir -p "$d/conf"; log4j1_conf "$d/conf"
  site "$d/conf/hbase-site.xml" "hbase.rootdir=${HBASE_ROOTDIR:-file://$d/root}" "hbase.tmp.dir=$d/tmp" hbase.cluster.distributed=false \
    hbase.unsafe.stream.capability.enforce=false "hbase.zookeeper.quorum=$HOST" "hbase.zookeeper.property.clientPort=$HBASE_ZK_PORT" \
    "hbase.zookeeper.property.dataDir=$d/zk" "hbase.zookeeper.property.clientPortAddress=$HOST" \
    "hbase.master.hostname=localhost" "hbase.regionserver.hostname=localhost" "hbase.master.ipc.address=$HOST" "hbase.regionserver.ipc.address=$HOST" \
    "hbase.master.port=$HBASE_MASTER_PORT" "hbase.master.info.port=-1" "hbase.regionserver.port=$HBASE_RS_PORT" "hbase.regionserver.info.port=-1" \
    hbase.localcluster.assign.random.ports=false hbase.regionserver.handler.count=5 hbase.master.wait.on.regionservers.interval=200 \
    "hbase.rest.port=$HBASE_REST_PORT" "hbase.rest.host=$HOST" hbase.rest.info.port=-1 \
    "hbase.regionserver.thrift.port=$HBASE_THRIFT_PORT" "hbase.regionserver.thrift.ipaddress=$HOST" hbase.thrift.info.port=-1
}
start_hbase() {
  local cp d=$H/data/hbase; cp=$(cp_of hbase) || return 1; hadoop_java; hbase_conf
  launch hbase "${HJ[@]}" ${HBASE_OPTS:--Xmx512m} -cp "$d/conf:$cp" org.apache.hadoop.hbase.master.HMaster start
  wait_for hbase 90 grep -q 'Master has completed initialization' "$H/log/hbase.log" || return 1
  launch hbase-thrift "${HJ[@]}" -Xmx192m -cp "$d/conf:$cp" org.apache.hadoop.hbase.thrift2.ThriftServer start
  launch hbase-rest "${HJ[@]}" -Xmx192m -cp "$d/conf:$cp" org.apache.hadoop.hbase.rest.RESTServer start
  wait_for hbase-thrift 30 port_open "$HBASE_THRIFT_PORT" && wait_for hbase-rest 30 http_has "http://$HOST:$HBASE_REST_PORT/version/cluster" '[0-9]'
}
hbase_cli() { # services hbase Check.java, or any class of the classpath with its arguments
  local cp m=${1:?class}; shift; cp=$(cp_of hbase) || exit 1; hadoop_java
  case $m in *.java) m=$KIT/hbase/$m; [ $# -gt 0 ] || set -- "$HOST" "$HBASE_THRIFT_PORT";; esac
  exec "${HJ[@]}" -Xmx256m -cp "$H/conf/quiet:$H/data/hbase/conf:$cp" "$m" "$@"
}
procs_hbase() { echo hbase hbase-thrift hbase-rest | tr ' ' '\n'; }

check_hbase() { (hbase_cli Check.java); }
