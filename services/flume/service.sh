# Flume itself: the peer of the bench and of compatibility tests.

# FLUME_CONF and FLUME_AGENT name a properties file and an agent in it; without
# them a sample runs: netcat on FLUME_PORT -> file channel -> files in data/flume/out.
start_flume() {
  local cp d=$H/data/flume conf=${FLUME_CONF:-} agent=${FLUME_AGENT:-a1}
  cp=$(cp_of flume) || return 1
  mkdir -p "$d/out"; log4j2_conf "$d/conf"
  if [ -z "$conf" ]; then
    conf=$d/conf/sample.properties
    cat >"$conf" <<X
a1.sources = r1
a1.channels = c1
a1.sinks = k1
a1.sources.r1.type = netcat
a1.sources.r1.bind = $HOST
a1.sources.r1.port = $FLUME_PORT
a1.sources.r1.channels = c1
a1.channels.c1.type = file
a1.channels.c1.checkpointDir = $d/checkpoint
a1.channels.c1.dataDirs = $d/data
a1.sinks.k1.type = file_roll
a1.sinks.k1.channel = c1
a1.sinks.k1.sink.directory = $d/out
a1.sinks.k1.sink.rollInterval = 0
X
  fi
  launch flume "$JAVA" ${FLUME_OPTS:--Xmx512m} $JDK_OPENS \
    -Dflume.monitoring.type=http -Dflume.monitoring.port="$FLUME_HTTP_PORT" \
    -cp "$d/conf:$cp" org.apache.flume.node.Application -n "$agent" -f "$conf" --no-reload-conf
  wait_for flume 60 port_open "$FLUME_HTTP_PORT"
}
procs_flume() { echo flume; }

check_flume() { # of the sample agent
  local w=hello-$RANDOM$RANDOM i
  (exec 3<>"/dev/tcp/$HOST/$FLUME_PORT"; echo "$w" >&3; read -r -t 5 <&3) || return 1
  for i in {1..40}; do grep -rqs "$w" "$H/data/flume/out" && return 0; sleep 0.5; done; return 1
}
