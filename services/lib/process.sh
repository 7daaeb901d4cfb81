# Processes of their own: started detached, known by pid and birth, waited for, ended. Sourced by ./services.

say() { printf '%s\n' "$*" >&2; }
die() { say "services: $*"; exit 1; }

born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

# alive PROC: true when the recorded process still runs (same pid, same birth)
alive() {
  local pid at
  read -r pid at 2>/dev/null <"$H/run/$1.pid" || return 1
  [ -n "$pid" ] && [ "$(born "$pid")" = "$at" ]
}
pid_of() { local pid at; read -r pid at <"$H/run/$1.pid" && echo "$pid"; }

# launch PROC CMD...: runs CMD detached, log in log/PROC.log, pid in run/PROC.pid
launch() {
  local proc=$1; shift
  alive "$proc" && return 0
  mkdir -p "$H/run" "$H/log"
  [ -f "$H/log/$proc.log" ] && mv -f "$H/log/$proc.log" "$H/log/$proc.log.1"
  setsid nohup "$@" >"$H/log/$proc.log" 2>&1 </dev/null 8>&- 9>&- &
  local pid=$!
  disown "$pid" 2>/dev/null
  echo "$pid $(born "$pid")" >"$H/run/$proc.pid"
}

# end_procs SECONDS PROC...: TERM to all, KILL to those still there after that time
end_procs() {
  local secs=$1 proc i left; shift
  [ "$secs" = 0 ] || for proc; do alive "$proc" && kill -TERM "$(pid_of "$proc")" 2>/dev/null; done
  for ((i = 0; i < secs * 10; i++)); do
    left=; for proc; do alive "$proc" && left=1; done
    [ -z "$left" ] && break
    sleep 0.1
  done
  for proc; do alive "$proc" && kill -KILL "$(pid_of "$proc")" 2>/dev/null; done
  for proc; do
    for ((i = 0; i < 50; i++)); do alive "$proc" || break; sleep 0.1; done
    rm -f "$H/run/$proc.pid"
  done
}
stop_service() { # the brokers of kafka3 wait for a quorum that is going away, so they get less time
  local secs=20; [ "$1" = kafka3 ] && secs=5
  end_procs $secs $("procs_$1" | tac)
}

port_open() { (exec 3<>"/dev/tcp/$HOST/$1") 2>/dev/null; }

# wait_for PROC SECONDS CMD...: until CMD succeeds; fails early if PROC dies
wait_for() {
  local proc=$1 secs=$2 end; shift 2
  end=$((SECONDS + secs))
  until "$@" >/dev/null 2>&1; do
    alive "$proc" || { say "$proc ended; last lines of its log:"; tail -n 30 "$H/log/$proc.log" >&2; return 1; }
    [ $SECONDS -lt $end ] || { say "$proc not ready after ${secs}s; last lines of its log:"; tail -n 30 "$H/log/$proc.log" >&2; return 1; }
    sleep 0.2
  done
}

log4j2_conf() { # writes a console log4j2.xml into $1
  mkdir -p "$1"
  cat >"$1/log4j2.xml" <<'X'
<Configuration status="warn">
  <Appenders><Console name="c"><PatternLayout pattern="%d{ISO8601} %p %c{1} [%t] %m%n"/></Console></Appenders>
  <Loggers><Root level="info"><AppenderRef ref="c"/></Root></Loggers>
</Configuration>
X
}

log4j1_conf() { # writes a console log4j.properties into $1
  mkdir -p "$1" "$H/conf/quiet"
  printf 'log4j.rootLogger=%s,c\nlog4j.appender.c=org.apache.log4j.ConsoleAppender\nlog4j.appender.c.target=System.err\nlog4j.appender.c.layout=org.apache.log4j.PatternLayout\nlog4j.appender.c.layout.ConversionPattern=%%d{ISO8601} %%p %%c{1} [%%t] %%m%%n\n' INFO >"$1/log4j.properties"
  [ -f "$H/conf/quiet/log4j.properties" ] || sed 's/=INFO,/=ERROR,/' "$1/log4j.properties" >"$H/conf/quiet/log4j.properties"
}
