// What the NameNode's exceptions mean to a caller of ours.
#pragma once

#include "base/result.h"
#include "client/hdfs/rpc_messages.h"

namespace millrace::hdfs {

// By the class of the exception; kTransient without a number for those that say nothing to us.
Error error_of(const RemoteFault& fault);

// The server is not ready to do it, and did nothing: the same call may be made again after a pause.
bool may_pass(const RemoteFault& fault);

}  // namespace millrace::hdfs
