# Hive: metastore on Derby, and HiveServer2.

hive_conf() {
  local d=$H/data/hive; mkdir -p "$d/conf" "$d/warehouse" "$d/external" "$d/scratch"; chmod 1777 "$d/scratch"; log4j2_conf "$d/conf"
  site "$d/conf/core-site.xml" "fs.defaultFS=${HIVE_FS:-file:///}" dfs.replication=1 "hadoop.tmp.dir=$d/tmp" "hadoop.proxyuser.$(id -un).hosts=*" "hadoop.proxyuser.$(id -un).groups=*"
  local c=("hive.metastore.uris=thrift://$HOST:$HIVE_METASTORE_PORT" "hive.metastore.warehouse.dir=${HIVE_WAREHOUSE:-file://$d/warehouse}" \
    "hive.metastore.warehouse.external.dir=${HIVE_WAREHOUSE:-file://$d/external}" "hive.exec.scratchdir=${HIVE_SCRATCH:-file://$d/scratch}" "hive.exec.local.scratchdir=$d/tmp/local" \
    "hive.server2.thrift.bind.host=$HOST" "hive.server2.thrift.port=$HIVE_SERVER_PORT" hive.server2.webui.port=0 hive.server2.enable.doAs=false \
    "hive.server2.logging.operation.log.location=$d/tmp/oplog" "hive.downloaded.resources.dir=$d/tmp/res" hive.server2.active.passive.ha.enable=false \
    hive.server2.materializedviews.registry.impl=DUMMY hive.notification.event.poll.interval=0s hive.server2.metrics.enabled=false \
    hive.support.concurrency=true hive.txn.manager=org.apache.hadoop.hive.ql.lockmgr.DbTxnManager \
    hive.exec.dynamic.partition.mode=nonstrict hive.stats.autogather=false hive.fetch.task.conversion=more \
    hive.execution.engine=tez tez.local.mode=true tez.local.mode.without.network=true hive.tez.container.size=256 tez.ignore.lib.uris=true "tez.staging-dir=$d/tmp/tez" \
    hive.in.test=false hive.cli.print.header=false hive.security.authorization.enabled=false hive.server2.tez.initialize.default.sessions=false)
  site "$d/conf/hive-site.xml" "${c[@]}"
  site "$d/conf/tez-site.xml" tez.local.mode=true tez.local.mode.without.network=true tez.ignore.lib.uris=true "tez.staging-dir=$d/tmp/tez" \
    tez.runtime.optimize.local.fetch=true tez.am.resource.memory.mb=256
  site "$d/conf/metastore-site.xml" "metastore.thrift.bind.host=$HOST" "metastore.thrift.port=$HIVE_METASTORE_PORT" \
    "javax.jdo.option.ConnectionURL=jdbc:derby:;databaseName=$d/derby;create=true" javax.jdo.option.ConnectionDriverName=org.apache.derby.jdbc.EmbeddedDriver \
    datanucleus.schema.autoCreateAll=false metastore.schema.verification=true metastore.compactor.initiator.on=false \
    metastore.metrics.enabled=false metastore.event.db.notification.api.auth=false hive.metastore.event.db.notification.api.auth=false
}
hive_scripts() { # the schema scripts are only in the metastore's binary archive
  local o=$H/cp/hive-scripts v a off
  v=$(sed -n 's:.*<hive.version>\(.*\)</hive.version>.*:\1:p' "$KIT/hive/pom.xml")
  a=org.apache.hive:hive-standalone-metastore-server:$v:tar.gz:bin
  [ -f "$o/done" ] && return 0
  for off in -o -ntp; do
    (mkdir -p "$o" && cd "$H/cp" && "$MVN" -B -q $off $DEP_PLUGIN:unpack -Dartifact="$a" -DoutputDirectory="$o" -Dmdep.unpack.includes='*-bin/scripts/**') >"$H/cp/hive-scripts.log" 2>&1 && touch "$o/done" && return 0
  done
  cat "$H/cp/hive-scripts.log" >&2; return 1
}
start_hive() {
  local cp d=$H/data/hive; cp=$(cp_of hive) || return 1; hadoop_java; hive_conf
  local j=(env HIVE_CONF_DIR="$d/conf" HADOOP_CONF_DIR="$d/conf" METASTORE_CONF_DIR="$d/conf" "${HJ[@]}" -Dderby.stream.error.file="$H/log/derby.log" -Dlog4j2.formatMsgNoLookups=true)
  if [ ! -f "$d/schema.done" ]; then
    hive_scripts || return 1
    rm -rf "$d/derby"
    (cd "$d" && METASTORE_HOME=$(echo "$H"/cp/hive-scripts/*-bin) "${j[@]}" -Xmx384m -cp "$d/conf:$cp" org.apache.hadoop.hive.metastore.tools.schematool.MetastoreSchemaTool -dbType derby -initSchema) \
      >"$d/schema.log" 2>&1 || { tail -n 40 "$d/schema.log" >&2; return 1; }
    touch "$d/schema.done"
  fi
  launch hive-metastore "${j[@]}" ${HIVE_METASTORE_OPTS:--Xmx384m} -cp "$d/conf:$cp" org.apache.hadoop.hive.metastore.HiveMetaStore -p "$HIVE_METASTORE_PORT"
  wait_for hive-metastore 90 port_open "$HIVE_METASTORE_PORT" || return 1
  launch hive-server "${j[@]}" ${HIVE_SERVER_OPTS:--Xmx768m} -cp "$d/conf:$cp" org.apache.hive.service.server.HiveServer2
  wait_for hive-server 120 port_open "$HIVE_SERVER_PORT"
}
procs_hive() { echo hive-metastore hive-server | tr ' ' '\n'; }
hive_sql() { # services hive 'statement;statement' : rows as tab-separated lines
  local cp; cp=$(cp_of hive) || exit 1; hadoop_java
  local jdbc=jdbc:hive2://$HOST:$HIVE_SERVER_PORT/default
  case ${1:-} in *.java) set -- "$KIT/hive/$1" "$jdbc" "thrift://$HOST:$HIVE_METASTORE_PORT" "${@:2}";; *) set -- "$KIT/hive/Sql.java" "$jdbc" "$@";; esac
  exec "${HJ[@]}" -Xmx256m -Dlog4j2.level=ERROR -Dorg.apache.logging.log4j.level=ERROR -cp "$H/conf/quiet:$cp" "$@"
}

check_hive() { (hive_sql Check.java); }
