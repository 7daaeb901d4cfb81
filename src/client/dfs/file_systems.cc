#include "client/dfs/file_systems.h"

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "client/dfs/local_file_system.h"
#include "client/hdfs/hdfs_file_system.h"

namespace millrace::dfs {
namespace {

constexpr std::uint16_t kNameNodePort = 8020;

std::optional<std::string> environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

std::string user_of_process() {
  const auto told = environment("HADOOP_USER_NAME");
  if (told && !told->empty()) {
    return *told;
  }
  passwd entry{};
  passwd* found = nullptr;
  char space[4096];
  ::getpwuid_r(::geteuid(), &entry, space, sizeof space, &found);
  return found != nullptr ? found->pw_name : std::to_string(::geteuid());
}

// The one place where the name of a cluster becomes the address of a NameNode.
Result<hdfs::RpcTarget> resolve_name_node(const std::string& authority, const std::string& user,
                                          const hdfs::Configuration& configuration) {
  if (TRY(configuration.get("dfs.ha.namenodes." + authority))) {
    return bad_config(fmt::format(
        "hdfs://{} has several NameNodes (dfs.ha.namenodes.{}): fail-over is not supported yet; "
        "name the active one as hdfs://HOST:PORT",
        authority, authority));
  }
  const HostAndPort at = TRY(parse_authority(authority, kNameNodePort));
  return hdfs::RpcTarget{.host = at.host, .port = at.port, .user = user};
}

}  // namespace

FileSystemsConfig config_of_process() {
  FileSystemsConfig config;
  config.hadoop_conf = environment("HADOOP_CONF_DIR").value_or("");
  return config;
}

FileSystems::FileSystems(millrace::FileSystem& local, FileSystemsConfig config)
    : local_(local), config_(std::move(config)) {}

Result<Place> FileSystems::find(const std::string& text) {
  const std::lock_guard lock(mutex_);
  Url url = TRY(parse_url(text));
  if (url.scheme != "file") {
    TRY(configure());
  }
  if (url.authority.empty() && (url.scheme.empty() || url.scheme == "hdfs")) {
    const Url base = TRY(parse_url(
        options_.default_file_system.empty() ? "file:///" : options_.default_file_system));
    if (url.scheme.empty() || url.scheme == base.scheme) {
      url.scheme = base.scheme;
      url.authority = base.authority;
    }
  }
  std::shared_ptr<FileSystem>& known = made_[url.scheme + "://" + url.authority];
  if (known == nullptr) {
    known = TRY(make(url));
  }
  return Place{known, url.path};
}

Result<std::shared_ptr<FileSystem>> FileSystems::make(const Url& url) {
  if (url.scheme == "file") {
    if (!url.authority.empty() && url.authority != "localhost") {
      return bad_config(fmt::format("file://{}: files of another machine", url.authority));
    }
    return std::shared_ptr<FileSystem>(std::make_shared<LocalFileSystem>(local_));
  }
  if (url.scheme != "hdfs") {
    return bad_config(
        fmt::format("{}://{}: only hdfs:// and file:// are supported", url.scheme, url.authority));
  }
  if (url.authority.empty()) {
    return bad_config(
        "hdfs:/// without a host: fs.defaultFS of core-site.xml (HADOOP_CONF_DIR) names none");
  }
  hdfs::RpcTarget target = TRY(resolve_name_node(
      url.authority, config_.user.empty() ? user_of_process() : config_.user, *configuration_));
  hdfs::Options options = options_;
  if (config_.call_timeout.count() != 0) {
    options.rpc.call_timeout = config_.call_timeout;
    options.streams.call_timeout = config_.call_timeout;
  }
  return std::shared_ptr<FileSystem>(
      std::make_shared<hdfs::HdfsFileSystem>(std::move(target), std::move(options)));
}

Result<> FileSystems::configure() {
  if (configuration_) {
    return {};
  }
  hdfs::Configuration configuration(environment);
  if (!config_.hadoop_conf.empty()) {
    TRY(configuration.load(local_, config_.hadoop_conf));
  }
  options_ = TRY(hdfs::read_options(configuration));
  configuration_ = std::move(configuration);
  return {};
}

void FileSystems::close() {
  const std::lock_guard lock(mutex_);
  for (const auto& [name, files] : made_) {
    if (files != nullptr) {
      files->close();
    }
  }
}

}  // namespace millrace::dfs
