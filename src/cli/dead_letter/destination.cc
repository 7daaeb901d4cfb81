#include "cli/dead_letter/destination.h"

#include <optional>
#include <string_view>
#include <utility>

#include "cli/channel/event_output.h"
#include "cli/channel/line_sender.h"

namespace millrace {
namespace {

constexpr std::size_t kMostLines = 1000;
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

class AvroDestination final : public LetterDestination {
 public:
  explicit AvroDestination(std::unique_ptr<EventOutput> output) : output_(std::move(output)) {}

  std::string obstacle(const Letter&) const override { return {}; }
  bool is_full() const override { return false; }
  bool carries_headers() const override { return true; }

  Result<> add(const Letter& letter) override {
    ++added_;
    const std::string headers = letter.event_headers();
    return output_->write({letter.number, 0, headers, letter.body});
  }
  Settled settle() override {
    Result<> finished = output_->finish();
    return {finished.ok() ? std::exchange(added_, 0) : 0, {}, std::move(finished)};
  }

 private:
  std::unique_ptr<EventOutput> output_;
  std::size_t added_ = 0;
};

// Lines go out together. When the peer refuses one for good it ends the connection; those behind it
// then go one by one.
class NetcatDestination final : public LetterDestination {
 public:
  NetcatDestination(std::string host, std::string port)
      : host_(std::move(host)), port_(std::move(port)) {}

  Result<> connect() {
    sender_.emplace(TRY(LineSender::connect(host_, port_, {})));
    return {};
  }
  std::string obstacle(const Letter& letter) const override {
    const bool is_line = letter.body.find('\n') == std::string_view::npos;
    return is_line ? "" : "there is a line end in its body";
  }
  bool is_full() const override { return lines_.size() >= kMostLines || bytes_ >= kMostBytes; }
  bool carries_headers() const override { return false; }

  Result<> add(const Letter& letter) override {
    lines_.emplace_back(letter.body);
    bytes_ += letter.body.size();
    return {};
  }
  Settled settle() override {
    Settled settled;
    settled.outcome = send_together(settled.known);
    if (!settled.outcome.ok() && settled.outcome.error().fault() == Fault::kRejected) {
      settled.outcome = send_one_by_one(settled);
    }
    lines_.clear();
    bytes_ = 0;
    return settled;
  }

 private:
  // `known`: how many of them are stored, the first ones.
  Result<> send_together(std::size_t& known) {
    const std::uint64_t answered = sender_->answered();
    const std::uint64_t refused = sender_->refused();
    Result<> sent;
    for (std::size_t i = 0; i < lines_.size() && sent.ok(); ++i) {
      sent = sender_->send(lines_[i]);
    }
    if (sent.ok()) {
      sent = sender_->finish();
    }
    // Lines that were refused for a while went out again behind others: the order is lost.
    const bool in_order = sent.ok() || sender_->refused() == refused;
    known = in_order ? static_cast<std::size_t>(sender_->answered() - answered) : 0;
    return sent;
  }

  Result<> send_one_by_one(Settled& settled) {
    TRY(connect());
    while (settled.known < lines_.size()) {
      Result<> sent = sender_->send(lines_[settled.known]);
      if (sent.ok()) {
        sent = sender_->finish();
      }
      if (!sent.ok() && sent.error().fault() != Fault::kRejected) {
        return sent;
      }
      if (!sent.ok()) {
        settled.refused.push_back(settled.known);
        TRY(connect());
      }
      ++settled.known;
    }
    return {};
  }

  const std::string host_;
  const std::string port_;
  std::optional<LineSender> sender_;
  std::vector<std::string> lines_;
  std::size_t bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<LetterDestination>> open_letter_destination(FileSystem& files,
                                                                   const std::string& into) {
  if (into.ends_with(".avro") && files.exists(into)) {
    return bad_config(into + " is there already");
  }
  if (into.ends_with(".avro")) {
    const std::string path = std::filesystem::absolute(into).string();
    OutputTarget file = TRY(OutputTarget::open(files, path));
    return std::unique_ptr<LetterDestination>(
        std::make_unique<AvroDestination>(TRY(avro_output(std::move(file)))));
  }
  const std::size_t colon = into.rfind(':');
  auto netcat = std::make_unique<NetcatDestination>(into.substr(0, colon), into.substr(colon + 1));
  TRY(netcat->connect());
  return std::unique_ptr<LetterDestination>(std::move(netcat));
}

}  // namespace millrace
