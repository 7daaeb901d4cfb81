# HDFS with Kerberos (Debian's krb5-kdc).

K=$H/data/hdfs-kerberos
KRB_HOST=localhost
krb_env() { export KRB5_CONFIG=$K/krb/krb5.conf KRB5_KDC_PROFILE=$K/krb/kdc.conf; KRB_OPTS="-Djava.security.krb5.conf=$K/krb/krb5.conf"; }
start_kdc() {
  local k=$K/krb p
  command -v krb5kdc >/dev/null || export PATH=$PATH:/usr/sbin
  command -v krb5kdc >/dev/null || { say "needs Debian's krb5-kdc, krb5-admin-server and krb5-user"; return 1; }
  mkdir -p "$k"; krb_env
  cat >"$k/krb5.conf" <<X
[libdefaults]
  default_realm = $REALM
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  ignore_acceptor_hostname = true
[realms]
  $REALM = {
    kdc = $HOST:$KDC_PORT
  }
[domain_realm]
  localhost = $REALM
X
  cat >"$k/kdc.conf" <<X
[kdcdefaults]
  kdc_listen = $HOST:$KDC_PORT
  kdc_tcp_listen = $HOST:$KDC_PORT
[realms]
  $REALM = {
    database_name = $k/principal
    key_stash_file = $k/stash
    acl_file = $k/kadm5.acl
    max_life = 24h
    max_renewable_life = 7d
    supported_enctypes = aes256-cts:normal aes128-cts:normal
  }
[logging]
  kdc = FILE:$H/log/kdc-requests.log
X
  mkdir -p "$H/log"
  if [ ! -f "$k/principal" ]; then
    kdb5_util create -s -r "$REALM" -P master >"$k/create.log" 2>&1 || { cat "$k/create.log" >&2; return 1; }
    for p in nn/localhost dn/localhost HTTP/localhost hbase/localhost hive/localhost alice; do
      kadmin.local -r "$REALM" -q "addprinc -randkey $p" && kadmin.local -r "$REALM" -q "ktadd -norandkey -k $k/${p%%/*}.keytab $p" || return 1
    done >"$k/princs.log" 2>&1
    # the web principal goes with the daemons' keytabs too
    for p in nn dn; do kadmin.local -r "$REALM" -q "ktadd -norandkey -k $k/$p.keytab HTTP/localhost"; done >>"$k/princs.log" 2>&1
    kadmin.local -r "$REALM" -q "addprinc -pw bob-secret bob" >>"$k/princs.log" 2>&1
  fi
  launch kdc krb5kdc -n -r "$REALM" -P "$k/kdc.pid"
  wait_for kdc 20 port_open "$KDC_PORT"
}
start_hdfs-kerberos() {
  local k=$K/krb
  start_kdc || return 1
  hdfs_conf hdfs-kerberos "$HDFSK_PORT" "$HDFSK_HTTP_PORT" 1 "$KRB_HOST" \
    hadoop.security.authentication=kerberos hadoop.security.authorization=true "hadoop.rpc.protection=$HDFSK_PROTECTION" \
    hadoop.http.authentication.type=kerberos "hadoop.http.authentication.kerberos.principal=HTTP/localhost@$REALM" "hadoop.http.authentication.kerberos.keytab=$k/HTTP.keytab" \
    -- dfs.block.access.token.enable=true "dfs.data.transfer.protection=$HDFSK_PROTECTION" \
    ignore.secure.ports.for.testing=true dfs.http.policy=HTTP_ONLY \
    "dfs.namenode.kerberos.principal=nn/localhost@$REALM" "dfs.namenode.keytab.file=$k/nn.keytab" \
    "dfs.datanode.kerberos.principal=dn/localhost@$REALM" "dfs.datanode.keytab.file=$k/dn.keytab" \
    "dfs.namenode.kerberos.internal.spnego.principal=HTTP/localhost@$REALM" \
    "dfs.web.authentication.kerberos.principal=HTTP/localhost@$REALM" "dfs.web.authentication.kerberos.keytab=$k/HTTP.keytab"
  krb_as alice alice || return 1
  start_nn hdfs-kerberos && start_dn hdfs-kerberos 1 "$((HDFSK_DN_PORT - 10))" "$KRB_HOST" &&
    dns_open && wait_for hdfs-kerberos-nn 60 nn_ready "$HDFSK_HTTP_PORT" 1 || return 1
  [ -f "$K/home.done" ] || {
    krb_as nn nn/localhost; (hdfs_cli hdfs-kerberos dfs -mkdir -p /tmp /user/alice) &&
    (hdfs_cli hdfs-kerberos dfs -chmod 1777 /tmp) && (hdfs_cli hdfs-kerberos dfs -chown alice:alice /user/alice) && touch "$K/home.done"; }
}
procs_hdfs-kerberos() { echo kdc hdfs-kerberos-nn hdfs-kerberos-dn1 | tr ' ' '\n'; }
krb_as() { krb_env; export KRB5CCNAME=$K/krb/$1.cc; kinit -kt "$K/krb/$1.keytab" "$2@$REALM"; } # KEYTAB PRINCIPAL

check_hdfs-kerberos() {
  krb_as alice alice && check_dfs hdfs-kerberos /user/alice &&
    [ "$(http_get "http://$KRB_HOST:$HDFSK_HTTP_PORT/webhdfs/v1/user/alice/probe?op=GETFILESTATUS" | grep -c '"owner":"alice"')" = 1 ] &&
    ! (KRB5CCNAME=$K/krb/none.cc; hdfs_cli hdfs-kerberos dfs -ls /) 2>/dev/null
}
