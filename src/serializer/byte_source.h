// Where the readers of file formats take bytes from.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "base/result.h"

namespace millrace {

// Fills `space` from `offset`; less is read only at the end.
using ByteSource = std::function<Result<std::size_t>(std::span<char> space, std::uint64_t offset)>;

// Over what can be read at an offset: a File of io, an InputStream of client/dfs.
template <class Input>
ByteSource source_of(std::shared_ptr<Input> input) {
  return [input = std::move(input)](std::span<char> space, std::uint64_t offset) {
    return input->read_at(space, offset);
  };
}
template <class Input>
ByteSource source_of(std::unique_ptr<Input> input) {
  return source_of(std::shared_ptr<Input>(std::move(input)));
}

// `bytes` outlive it.
ByteSource source_of(std::string_view bytes);

}  // namespace millrace
