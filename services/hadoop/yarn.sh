# YARN: a resource manager and a node manager.

start_yarn() {
  local cp d=$H/data/yarn; cp=$(cp_of hadoop) || return 1; hadoop_java
  mkdir -p "$d"/conf/webapps/{cluster,node}; log4j1_conf "$d/conf"
  site "$d/conf/core-site.xml" "fs.defaultFS=${YARN_FS:-file:///}" "hadoop.tmp.dir=$d/tmp" "hadoop.http.staticuser.user=$(id -un)"
  site "$d/conf/yarn-site.xml" "yarn.resourcemanager.hostname=$HOST" \
    "yarn.resourcemanager.address=$HOST:$YARN_RM_PORT" "yarn.resourcemanager.scheduler.address=$HOST:$((YARN_RM_PORT + 1))" \
    "yarn.resourcemanager.resource-tracker.address=$HOST:$((YARN_RM_PORT + 2))" "yarn.resourcemanager.admin.address=$HOST:$((YARN_RM_PORT + 3))" \
    "yarn.resourcemanager.webapp.address=$HOST:$YARN_RM_HTTP_PORT" \
    "yarn.nodemanager.hostname=$HOST" "yarn.nodemanager.address=$HOST:$((YARN_RM_PORT + 4))" \
    "yarn.nodemanager.localizer.address=$HOST:$((YARN_RM_PORT + 5))" "yarn.nodemanager.webapp.address=$HOST:$YARN_NM_HTTP_PORT" \
    "yarn.nodemanager.collector-service.address=$HOST:$((YARN_RM_PORT + 6))" \
    "yarn.nodemanager.local-dirs=$d/local" "yarn.nodemanager.log-dirs=$d/userlogs" \
    "yarn.nodemanager.resource.memory-mb=4096" "yarn.nodemanager.resource.cpu-vcores=4" \
    "yarn.scheduler.minimum-allocation-mb=64" "yarn.scheduler.maximum-allocation-mb=4096" \
    "yarn.nodemanager.vmem-check-enabled=false" "yarn.nodemanager.pmem-check-enabled=false" \
    "yarn.nodemanager.delete.debug-delay-sec=600" "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage=99" \
    "yarn.resourcemanager.am.max-attempts=1" "yarn.nm.liveness-monitor.expiry-interval-ms=10000" \
    "yarn.am.liveness-monitor.expiry-interval-ms=60000" "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms=200" \
    "yarn.nodemanager.container-executor.class=org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor" \
    "yarn.nodemanager.env-whitelist=JAVA_HOME,PATH,LANG,HADOOP_CONF_DIR" "hadoop.registry.zk.quorum=$HOST:$ZOOKEEPER_PORT" "yarn.service.base.path=$d/service" \
    "yarn.service.framework.path=$d/service-dep.tar.gz" yarn.service.am-resource.memory=256 "yarn.application.classpath=$d/conf,$(printf %s "$cp" | tr : ,)" \
    "yarn.resourcemanager.scheduler.class=org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler"
  site "$d/conf/capacity-scheduler.xml" yarn.scheduler.capacity.root.queues=default yarn.scheduler.capacity.root.default.capacity=100 \
    yarn.scheduler.capacity.maximum-am-resource-percent=1.0 \
    yarn.scheduler.capacity.resource-calculator=org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator
  local env=(env HADOOP_CONF_DIR="$d/conf" JAVA_HOME="$("$JAVA" -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.home = //p')")
  launch yarn-rm "${env[@]}" "${HJ[@]}" ${YARN_OPTS:--Xmx384m} -Dyarn.log.dir="$H/log" -cp "$d/conf:$cp" org.apache.hadoop.yarn.server.resourcemanager.ResourceManager
  launch yarn-nm "${env[@]}" "${HJ[@]}" ${YARN_OPTS:--Xmx384m} -Dyarn.log.dir="$H/log" -cp "$d/conf:$cp" org.apache.hadoop.yarn.server.nodemanager.NodeManager
  wait_for yarn-rm 60 http_has "http://$HOST:$YARN_RM_HTTP_PORT/ws/v1/cluster/metrics" '"activeNodes":1'
}
yarn_cli() { # services yarn app|node|Class ARGS...
  local cp m=${1:?app, node or a class} d=$H/data/yarn; shift; cp=$(cp_of hadoop) || exit 1; hadoop_java
  case $m in app) m=org.apache.hadoop.yarn.client.cli.ApplicationCLI; set -- app "$@";; node) m=org.apache.hadoop.yarn.client.cli.NodeCLI;;
  esac
  mkdir -p "$d/lib"; printf %s "$cp" | tr : '\n' | while read -r j; do ln -sf "$j" "$d/lib/"; done
  HADOOP_CONF_DIR=$d/conf exec "${HJ[@]}" -Xmx256m -Dservice.libdir="$d/lib" -cp "${YARN_LOG_CONF:-$H/conf/quiet}:$d/conf:$cp" "$m" "$@"
}
procs_yarn() { echo yarn-rm yarn-nm | tr ' ' '\n'; }

check_yarn() { # a shell command in a container through the resource manager's REST interface
  local rm=http://$HOST:$YARN_RM_HTTP_PORT/ws/v1/cluster id i w=hello-$RANDOM$RANDOM
  id=$(curl -s -X POST "$rm/apps/new-application" | sed -n 's/.*"application-id":"\([^"]*\)".*/\1/p')
  curl -s -X POST -H 'Content-Type: application/json' "$rm/apps" -d "{\"application-id\":\"$id\",\"application-name\":\"check\",\"max-app-attempts\":1,
    \"resource\":{\"memory\":64,\"vCores\":1},\"am-container-spec\":{\"commands\":{\"command\":\"echo $w 1><LOG_DIR>/stdout 2><LOG_DIR>/stderr\"}}}"
  for i in {1..40}; do grep -qs "$w" "$H/data/yarn/userlogs/$id"/*/stdout && return 0; sleep 0.5; done; return 1
}
