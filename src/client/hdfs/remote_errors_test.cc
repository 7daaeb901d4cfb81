// Goal: each exception of the NameNode that callers tell apart becomes its number. Method: by name.
#include "client/hdfs/remote_errors.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace millrace::hdfs {
namespace {

TEST(RemoteErrorsTest, GiveTheNumberOfWhatHappened) {
  const std::pair<const char*, int> wanted[] = {
      {"java.io.FileNotFoundException", ENOENT},
      {"org.apache.hadoop.fs.FileAlreadyExistsException", EEXIST},
      {"org.apache.hadoop.fs.ParentNotDirectoryException", ENOTDIR},
      {"org.apache.hadoop.fs.PathIsNotEmptyDirectoryException", ENOTEMPTY},
      {"org.apache.hadoop.security.AccessControlException", EACCES},
      {"org.apache.hadoop.hdfs.protocol.DSQuotaExceededException", EDQUOT},
      {"org.apache.hadoop.hdfs.protocol.NSQuotaExceededException", EDQUOT},
      {"org.apache.hadoop.hdfs.protocol.AlreadyBeingCreatedException", EBUSY},
      {"org.apache.hadoop.hdfs.protocol.RecoveryInProgressException", EBUSY},
      {"org.apache.hadoop.hdfs.server.namenode.LeaseExpiredException", ESTALE},
      {"org.apache.hadoop.hdfs.server.namenode.NotReplicatedYetException", EAGAIN},
      {"org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException",
       ENAMETOOLONG},
      {"org.apache.hadoop.hdfs.server.namenode.SafeModeException", EROFS},
  };
  for (const auto& [name, number] : wanted) {
    const Error error = error_of({name, "why", 1, false});
    EXPECT_EQ(error.error_number(), number) << name;
    EXPECT_EQ(error.fault(), Fault::kTransient) << name;
    EXPECT_NE(error.message().find("why"), std::string::npos);
  }
}

TEST(RemoteErrorsTest, TakeAnUnknownExceptionForTransient) {
  for (const char* name : {"java.io.IOException", "", "x.", "zzz"}) {
    const Error error = error_of({name, "could only be written to 0 of the 1 nodes", 1, false});
    EXPECT_EQ(error.fault(), Fault::kTransient);
    EXPECT_EQ(error.error_number(), 0);
  }
}

TEST(RemoteErrorsTest, OnlyAServerThatIsNotReadyIsAskedAgain) {
  EXPECT_TRUE(may_pass({"org.apache.hadoop.ipc.RetriableException", "starting", 1, false}));
  EXPECT_FALSE(may_pass({"java.io.FileNotFoundException", "", 1, false}));
}

TEST(RemoteErrorsTest, ASymlinkOrAMissingMethodIsForTheOperator) {
  for (const char* name : {"org.apache.hadoop.hdfs.protocol.UnresolvedPathException",
                           "org.apache.hadoop.ipc.RpcNoSuchMethodException"}) {
    EXPECT_EQ(error_of({name, "", 2, false}).fault(), Fault::kConfig);
  }
}

}  // namespace
}  // namespace millrace::hdfs
