# What all servers over Hadoop share: configuration files, JVM options, HTTP probes. Sourced by ./services.

# site FILE KEY=VALUE...: writes a Hadoop configuration file
site() {
  local f=$1 kv; shift
  { echo '<?xml version="1.0"?>'; echo '<configuration>'
    for kv; do printf '  <property><name>%s</name><value>%s</value></property>\n' "${kv%%=*}" "$(printf '%s' "${kv#*=}" | sed 's/&/\&amp;/g;s/</\&lt;/g')"; done
    echo '</configuration>'; } >"$f.new" && mv "$f.new" "$f"
}
hadoop_java() { # OPTS... then main class: prints nothing, fills HJ
  HJ=("$JAVA" $JDK_OPENS -Djava.net.preferIPv4Stack=true -Dhadoop.log.dir="$H/log")
}
http_get() { curl -s -m 3 ${KRB5CCNAME:+--negotiate -u :} "$1"; }
http_has() { http_get "$1" | grep -qE "$2"; }
