# The JDK, and the class path of each family of servers. Sourced by ./services.

JDK_OPENS=""
for p in lang lang.invoke lang.reflect io math net nio text time util util.concurrent util.concurrent.atomic util.regex security; do
  JDK_OPENS+=" --add-opens=java.base/java.$p=ALL-UNNAMED"
done
for p in java.base/sun.nio.ch java.base/sun.nio.cs java.base/sun.security.action java.base/sun.util.calendar \
         java.security.jgss/sun.security.krb5 java.base/jdk.internal.ref java.sql/java.sql; do
  JDK_OPENS+=" --add-opens=$p=ALL-UNNAMED"
done

# Hadoop, HBase and Hive of these versions run on JDK 17, not on 24 and later.
if [ -n "${SERVICES_JAVA_HOME:-}" ]; then JAVA=$SERVICES_JAVA_HOME/bin/java
else JAVA=$(update-alternatives --list java 2>/dev/null | grep -m1 -e '-17-'); JAVA=${JAVA:-java}; fi

# cp_of FAMILY: prints the classpath of FAMILY/pom.xml, resolving it once.
cp_of() {
  local f=$1 out=$H/cp/$1.cp pom=$KIT/$1/pom.xml jar set=
  if [ "$f" = kafka ] && [ -n "${KAFKA_VERSION:-}" ]; then out=$H/cp/kafka-$KAFKA_VERSION.cp set=-Dkafka.version=$KAFKA_VERSION; fi
  # a list whose last jar has gone (a cleaned Maven repository) is made anew
  jar=$(tr : '\n' 2>/dev/null <"$out" | tail -n 1) && [ ! -e "$jar" ] && rm -f "$out"
  if [ ! -s "$out" ] || [ "$pom" -nt "$out" ]; then
    mkdir -p "$H/cp"
    (
      flock 9
      if [ ! -s "$out" ] || [ "$pom" -nt "$out" ]; then
        cd "$KIT/$f" || exit 1
        "$MVN" -B -q -o $DEP_PLUGIN:build-classpath -DincludeScope=runtime $set -Dmdep.outputFile="$out.new" >"$H/cp/$f.log" 2>&1 ||
        "$MVN" -B -q -ntp $DEP_PLUGIN:build-classpath -DincludeScope=runtime $set -Dmdep.outputFile="$out.new" >"$H/cp/$f.log" 2>&1 || {
          cat "$H/cp/$f.log" >&2; exit 1; }
        mv "$out.new" "$out"
      fi
    ) 9>"$H/cp/$f.lock" || die "cannot resolve $f"
  fi
  cat "$out"
}
