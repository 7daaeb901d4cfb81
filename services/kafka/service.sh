# Kafka: one node with plain, SASL and TLS listeners, and three plain ones.

kafka_certs() { # a CA, a broker certificate for localhost and 127.0.0.1, a client certificate; all PEM
  local t=$1
  [ -s "$t/client.pem" ] && return 0
  mkdir -p "$t" && (
    cd "$t" || exit 1
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=test-ca -keyout ca.key -out ca.crt &&
    for n in server client; do
      openssl req -newkey rsa:2048 -nodes -subj "/CN=$n" -keyout $n.key -out $n.csr &&
      printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >$n.ext &&
      openssl x509 -req -in $n.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile $n.ext -out $n.crt &&
      openssl pkcs8 -topk8 -nocrypt -in $n.key -out $n.p8 &&
      cat $n.p8 $n.crt ca.crt >$n.pem || exit 1
    done
  ) >"$t/openssl.log" 2>&1
}
kafka_cp() { local cp; cp=$(cp_of kafka) || return 1; log4j1_conf "$H/data/kafka/conf"; echo "$H/data/kafka/conf:$cp"; }
start_kafka() {
  local cp d=$H/data/kafka c sasl
  cp=$(kafka_cp) || return 1
  mkdir -p "$d/conf"
  kafka_certs "$d/tls" || { say "kafka: no certificates (see $d/tls/openssl.log)"; return 1; }
  c=$d/conf/server.properties
  sasl='org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="admin-secret" user_admin="admin-secret" user_alice="alice-secret";'
  cat >"$c" <<X
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@$HOST:$KAFKA_CONTROLLER_PORT
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://$HOST:$KAFKA_PORT,CONTROLLER://$HOST:$KAFKA_CONTROLLER_PORT,SASL_PLAINTEXT://$HOST:$KAFKA_SASL_PORT,SSL://$HOST:$KAFKA_SSL_PORT,SASL_SSL://$HOST:$KAFKA_SASL_SSL_PORT
advertised.listeners=PLAINTEXT://$HOST:$KAFKA_PORT,SASL_PLAINTEXT://$HOST:$KAFKA_SASL_PORT,SSL://$HOST:$KAFKA_SSL_PORT,SASL_SSL://$HOST:$KAFKA_SASL_SSL_PORT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_plaintext.plain.sasl.jaas.config=$sasl
listener.name.sasl_ssl.plain.sasl.jaas.config=$sasl
listener.name.sasl_plaintext.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_plaintext.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required;
ssl.keystore.type=PEM
ssl.keystore.location=$d/tls/server.pem
ssl.truststore.type=PEM
ssl.truststore.location=$d/tls/ca.crt
ssl.client.auth=requested
log.dirs=$d/log
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
num.partitions=1
default.replication.factor=1
min.insync.replicas=1
offsets.topic.replication.factor=1
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
num.network.threads=2
num.io.threads=4
log.cleaner.dedupe.buffer.size=16777216
auto.create.topics.enable=true
delete.topic.enable=true
X
  [ -n "${KAFKA_EXTRA:-}" ] && printf '%s\n' "$KAFKA_EXTRA" >>"$c"
  [ -f "$d/log/meta.properties" ] || "$JAVA" -Xmx128m -cp "$cp" kafka.tools.StorageTool format -t AAAAAAAAAAAAAAAAAAAAAQ -c "$c" \
      --add-scram 'SCRAM-SHA-256=[name=alice,password=alice-secret]' \
      --add-scram 'SCRAM-SHA-512=[name=alice,password=alice-secret]' >"$d/format.log" 2>&1 || { cat "$d/format.log" >&2; return 1; }
  launch kafka "$JAVA" ${KAFKA_OPTS:--Xms256m -Xmx512m} -cp "$cp" kafka.Kafka "$c"
  wait_for kafka 60 grep -q 'Kafka Server started' "$H/log/kafka.log"
}
# three combined broker-controllers, plain text only: for leader moves and replication
start_kafka3() {
  local cp d=$H/data/kafka3 i p c voters=
  cp=$(kafka_cp) || return 1
  mkdir -p "$d"
  for i in 1 2 3; do voters+=${voters:+,}$i@$HOST:$((KAFKA3_PORT + 10 * i - 9)); done
  for i in 1 2 3; do
    c=$d/server$i.properties p=$((KAFKA3_PORT + 10 * i - 10))
    cat >"$c" <<X
process.roles=broker,controller
node.id=$i
controller.quorum.voters=$voters
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://$HOST:$p,CONTROLLER://$HOST:$((p + 1))
advertised.listeners=PLAINTEXT://$HOST:$p
log.dirs=$d/log$i
default.replication.factor=3
min.insync.replicas=2
offsets.topic.replication.factor=3
offsets.topic.num.partitions=4
transaction.state.log.replication.factor=3
transaction.state.log.min.isr=2
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
replica.lag.time.max.ms=5000
num.network.threads=2
num.io.threads=2
log.cleaner.dedupe.buffer.size=16777216
X
    [ -n "${KAFKA_EXTRA:-}" ] && printf '%s\n' "$KAFKA_EXTRA" >>"$c"
    [ -f "$d/log$i/meta.properties" ] || "$JAVA" -Xmx128m -cp "$cp" kafka.tools.StorageTool format -t AAAAAAAAAAAAAAAAAAAAAw -c "$c" >"$d/format$i.log" 2>&1 ||
      { cat "$d/format$i.log" >&2; return 1; }
  done
  for i in 1 2 3; do launch kafka3-b$i "$JAVA" ${KAFKA3_OPTS:--Xms128m -Xmx320m} -cp "$cp" kafka.Kafka "$d/server$i.properties"; done
  for i in 1 2 3; do wait_for kafka3-b$i 90 grep -q 'Kafka Server started' "$H/log/kafka3-b$i.log" || return 1; done
}
procs_kafka3() { printf 'kafka3-b%s\n' 1 2 3; }
procs_kafka() { echo kafka; }
kafka_cli() { # services kafka TOOL ARGS...
  local cp m; cp=$(kafka_cp) || exit 1
  case ${1:-} in
    topics) m=org.apache.kafka.tools.TopicCommand;; groups) m=org.apache.kafka.tools.consumer.group.ConsumerGroupCommand;;
    produce) case ${KAFKA_VERSION:-3} in 3*) m=kafka.tools.ConsoleProducer;; *) m=org.apache.kafka.tools.ConsoleProducer;; esac;; consume) m=org.apache.kafka.tools.consumer.ConsoleConsumer;;
    offsets) m=org.apache.kafka.tools.GetOffsetShell;; configs) m=kafka.admin.ConfigCommand;;
    transactions) m=org.apache.kafka.tools.TransactionsCommand;; dump-log) m=kafka.tools.DumpLogSegments;;
    perf-produce) m=org.apache.kafka.tools.ProducerPerformance;; perf-consume) m=org.apache.kafka.tools.ConsumerPerformance;;
    *.java) m=$KIT/kafka/$1;;
    *) die "kafka tools: topics groups produce consume offsets configs transactions dump-log perf-produce perf-consume";;
  esac
  shift; exec "$JAVA" -Xmx256m -cp "$cp" "$m" "$@"
}

check_kafka() {
  local t=$H/data/kafka/tls j='required username="alice" password="alice-secret";' tls
  tls="ssl.truststore.type=PEM ssl.truststore.location=$t/ca.crt"
  (kafka_cli Check.java "$HOST:$KAFKA_PORT") && (kafka_cli Check.java "$HOST:$KAFKA_SSL_PORT" security.protocol=SSL $tls) &&
  (kafka_cli Check.java "$HOST:$KAFKA_SASL_PORT" security.protocol=SASL_PLAINTEXT sasl.mechanism=PLAIN "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule $j") &&
  (kafka_cli Check.java "$HOST:$KAFKA_SASL_SSL_PORT" security.protocol=SASL_SSL sasl.mechanism=SCRAM-SHA-256 "sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule $j" $tls)
}
check_kafka3() { (kafka_cli Check.java "$HOST:$KAFKA3_PORT"); }
