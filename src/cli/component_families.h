// What this program can be made of, by families: for the commands that list it.
#pragma once

#include <string>
#include <vector>

#include "config/fields.h"
#include "core/registry.h"

namespace millrace {

struct Family {
  std::string name;                       // "source".
  std::vector<ComponentInfo> components;  // By name: the order of registration is the linker's.
  CommonKeys common;                      // Keys that each of them has beside its own.
};

std::vector<Family> component_families();

// The alias, or the class name where there is none.
const std::string& name_of(const ComponentInfo& info);

// The names of all, each once, by families.
std::vector<std::string> component_names();

}  // namespace millrace
