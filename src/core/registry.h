// The names by which a configuration asks for components: Flume's aliases (any case) and class
// names. A component enters itself with one line at the end of its .cc:
//   const RegisterSink<NullSink> entry{"null", "org.apache.flume.sink.NullSink"};
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/fields.h"
#include "core/channel.h"
#include "core/claim.h"
#include "core/component.h"
#include "core/deserializer.h"
#include "core/interceptor.h"
#include "core/selector.h"
#include "core/serializer.h"
#include "core/sink.h"
#include "core/sink_processor.h"
#include "core/source.h"

namespace millrace {

// What is known of a component without making one.
struct ComponentInfo {
  std::string alias;       // As Flume's guide writes it; empty where only the class name is known.
  std::string class_name;  // Flume's.
  std::string about;       // A sentence for the reference.
  std::vector<FieldDescription> fields;
};

// A component whose keys were read without a fault, ready to be made once.
template <class Base, class Context>
struct Prepared {
  std::function<std::unique_ptr<Base>(Context)> make;
  std::optional<std::size_t> events_per_transaction;  // Held against transactionCapacity.
  std::vector<Claim> claims;                          // Nobody else may have these.
  // A sink: it delivers so; a channel: it keeps the intents of such a sink.
  bool exactly_once = false;
};

template <class BaseType, class ContextType>
class Registry {
 public:
  using Base = BaseType;
  using Context = ContextType;
  struct Entry {
    ComponentInfo info;
    // Reads the keys; nothing, and the faults in `diagnostics`, when they do not do. `common` are
    // the keys that every component of the family has.
    std::function<std::optional<Prepared<Base, Context>>(const PropertySection&, Diagnostics&,
                                                         CommonKeys common)>
        prepare;
  };

  // One for each family, filled before main().
  static Registry& instance() {
    static Registry registry;
    return registry;
  }
  void add(Entry entry) { entries_.push_back(std::move(entry)); }
  // By alias or class name, with or without "$Builder" at its end; null when unknown.
  const Entry* find(std::string_view type) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

using SourceRegistry = Registry<Source, SourceContext>;
using ChannelRegistry = Registry<Channel, ChannelContext>;
using SinkRegistry = Registry<Sink, SinkContext>;
using InterceptorRegistry = Registry<Interceptor, InterceptorContext>;
using SelectorRegistry = Registry<Selector, SelectorContext>;
using SinkProcessorRegistry = Registry<SinkProcessor, SinkProcessorContext>;
using SerializerRegistry = Registry<EventSerializer, SerializerContext>;
using DeserializerRegistry = Registry<EventDeserializer, DeserializerContext>;

// True when `type` means `name`, as Flume compares: aliases in any case, class names to the letter.
bool is_component_name(std::string_view type, const ComponentInfo& info);

template <class Base, class Context>
const typename Registry<Base, Context>::Entry* Registry<Base, Context>::find(
    std::string_view type) const {
  for (const Entry& entry : entries_) {
    if (is_component_name(type, entry.info)) {
      return &entry;
    }
  }
  return nullptr;
}

template <class RegistryType, class Component>
struct Register {
  using Config = typename Component::Config;
  using Base = typename RegistryType::Base;
  using Context = typename RegistryType::Context;

  Register(std::string_view alias, std::string_view class_name, std::string_view about = {}) {
    RegistryType::instance().add(
        {{std::string(alias), std::string(class_name), std::string(about), describe<Config>()},
         prepare});
  }

  static std::optional<Prepared<Base, Context>> prepare(const PropertySection& section,
                                                        Diagnostics& diagnostics,
                                                        CommonKeys common) {
    std::optional<Config> config = bind<Config>(section, diagnostics, common);
    if (!config) {
      return std::nullopt;
    }
    Prepared<Base, Context> prepared;
    if constexpr (requires { config->events_per_transaction(); }) {
      prepared.events_per_transaction = config->events_per_transaction();
    }
    if constexpr (requires { config->claims(); }) {
      prepared.claims = config->claims();
    }
    if constexpr (requires { config->exactly_once(); }) {
      prepared.exactly_once = config->exactly_once();
    }
    prepared.make = [config = std::move(*config)](Context context) -> std::unique_ptr<Base> {
      return std::make_unique<Component>(config, std::move(context));
    };
    return prepared;
  }
};

template <class C>
using RegisterSource = Register<SourceRegistry, C>;
template <class C>
using RegisterChannel = Register<ChannelRegistry, C>;
template <class C>
using RegisterSink = Register<SinkRegistry, C>;
template <class C>
using RegisterInterceptor = Register<InterceptorRegistry, C>;
template <class C>
using RegisterSelector = Register<SelectorRegistry, C>;
template <class C>
using RegisterSinkProcessor = Register<SinkProcessorRegistry, C>;
template <class C>
using RegisterSerializer = Register<SerializerRegistry, C>;
template <class C>
using RegisterDeserializer = Register<DeserializerRegistry, C>;

}  // namespace millrace
