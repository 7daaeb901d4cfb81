#include "client/hdfs/remote_errors.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

namespace millrace::hdfs {
namespace {

struct Meaning {
  std::string_view exception;  // Without its package.
  Fault fault;
  int error_number;
  bool may_pass = false;
};

// The one table. In the order of the names.
constexpr Meaning kMeanings[] = {
    {"AccessControlException", Fault::kTransient, EACCES},
    {"AlreadyBeingCreatedException", Fault::kTransient, EBUSY},
    {"AuthorizationException", Fault::kTransient, EACCES},
    {"DSQuotaExceededException", Fault::kTransient, EDQUOT},
    {"FileAlreadyExistsException", Fault::kTransient, EEXIST},
    {"FileNotFoundException", Fault::kTransient, ENOENT},
    {"HadoopIllegalArgumentException", Fault::kTransient, EINVAL},
    {"InvalidPathException", Fault::kTransient, EINVAL},
    {"LeaseExpiredException", Fault::kTransient, ESTALE},
    {"MaxDirectoryItemsExceededException", Fault::kTransient, EDQUOT},
    {"NSQuotaExceededException", Fault::kTransient, EDQUOT},
    {"NotReplicatedYetException", Fault::kTransient, EAGAIN},
    {"ParentNotDirectoryException", Fault::kTransient, ENOTDIR},
    {"PathComponentTooLongException", Fault::kTransient, ENAMETOOLONG},
    {"PathIsNotDirectoryException", Fault::kTransient, ENOTDIR},
    {"PathIsNotEmptyDirectoryException", Fault::kTransient, ENOTEMPTY},
    {"QuotaByStorageTypeExceededException", Fault::kTransient, EDQUOT},
    {"RecoveryInProgressException", Fault::kTransient, EBUSY},
    {"ReplicaNotFoundException", Fault::kTransient, ENOENT},
    {"RetriableException", Fault::kTransient, EAGAIN, true},
    {"RpcNoSuchMethodException", Fault::kConfig, 0},
    {"RpcNoSuchProtocolException", Fault::kConfig, 0},
    {"SafeModeException", Fault::kTransient, EROFS, true},
    {"SnapshotAccessControlException", Fault::kTransient, EROFS},
    {"StandbyException", Fault::kTransient, EROFS},
    {"UnknownCryptoProtocolVersionException", Fault::kConfig, 0},
    {"UnresolvedPathException", Fault::kConfig, ELOOP},
    {"UnsupportedActionException", Fault::kConfig, EOPNOTSUPP},
    {"UnsupportedOperationException", Fault::kConfig, EOPNOTSUPP},
};

constexpr std::int32_t kFatalVersionMismatch = 14;
constexpr std::int32_t kFatalUnauthorized = 15;

std::string_view short_name(std::string_view class_name) {
  return class_name.substr(class_name.find_last_of(".$") + 1);  // npos + 1: all of it.
}

const Meaning* meaning_of(const RemoteFault& fault) {
  const std::string_view name = short_name(fault.class_name);
  const auto* found = std::lower_bound(
      std::begin(kMeanings), std::end(kMeanings), name,
      [](const Meaning& meaning, std::string_view wanted) { return meaning.exception < wanted; });
  return found != std::end(kMeanings) && found->exception == name ? found : nullptr;
}

bool refuses_simple(const RemoteFault& fault) {
  return fault.detail == kFatalUnauthorized ||
         fault.message.find("SIMPLE authentication is not enabled") != std::string::npos;
}

}  // namespace

Error error_of(const RemoteFault& fault) {
  std::string text = fmt::format("{}: {}", short_name(fault.class_name), fault.message);
  if (refuses_simple(fault)) {
    return bad_config("the cluster is secure (Kerberos), which is not supported yet: " + text);
  }
  if (fault.detail == kFatalVersionMismatch) {
    return bad_config("the server does not speak version 9 of Hadoop's RPC: " + text);
  }
  const Meaning* meaning = meaning_of(fault);
  return meaning != nullptr ? Error(meaning->fault, std::move(text), meaning->error_number)
                            : transient(std::move(text));
}

bool may_pass(const RemoteFault& fault) {
  const Meaning* meaning = meaning_of(fault);
  return meaning != nullptr && meaning->may_pass;
}

}  // namespace millrace::hdfs
