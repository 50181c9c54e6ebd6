#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "amber/parser.hpp"

namespace lockstep::amber {
namespace {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

constexpr std::array filters{Named<Filter>{"nearest", Filter::nearest},
                             Named<Filter>{"linear", Filter::linear}};
constexpr std::array address_modes{
    Named<AddressMode>{"repeat", AddressMode::repeat},
    Named<AddressMode>{"mirrored_repeat", AddressMode::mirrored_repeat},
    Named<AddressMode>{"clamp_to_edge", AddressMode::clamp_to_edge},
    Named<AddressMode>{"clamp_to_border", AddressMode::clamp_to_border},
    Named<AddressMode>{"mirror_clamp_to_edge", AddressMode::mirror_clamp_to_edge},
};
// The border colour has the number type of the image.
constexpr std::array border_colors{
    Named<BorderColor>{"float_transparent_black", BorderColor::transparent_black},
    Named<BorderColor>{"int_transparent_black", BorderColor::transparent_black},
    Named<BorderColor>{"float_opaque_black", BorderColor::opaque_black},
    Named<BorderColor>{"int_opaque_black", BorderColor::opaque_black},
    Named<BorderColor>{"float_opaque_white", BorderColor::opaque_white},
    Named<BorderColor>{"int_opaque_white", BorderColor::opaque_white},
};
constexpr std::array compare_ops{
    Named<CompareOp>{"never", CompareOp::never},
    Named<CompareOp>{"less", CompareOp::less},
    Named<CompareOp>{"equal", CompareOp::equal},
    Named<CompareOp>{"less_or_equal", CompareOp::less_or_equal},
    Named<CompareOp>{"greater", CompareOp::greater},
    Named<CompareOp>{"not_equal", CompareOp::not_equal},
    Named<CompareOp>{"greater_or_equal", CompareOp::greater_or_equal},
    Named<CompareOp>{"always", CompareOp::always},
};

template <class T, std::size_t N>
const T* find(const std::array<Named<T>, N>& list, std::string_view name) {
  const auto* found = std::ranges::find(list, name, &Named<T>::name);
  return found == list.end() ? nullptr : &found->value;
}

}  // namespace

void Parser::parse_sampler() {
  const std::string name = word("the name of SAMPLER");
  if (!samplers_.emplace(name, script_.samplers.size()).second)
    fail(fmt::format("SAMPLER {} already exists; choose another name", name));
  Sampler sampler;
  sampler.max_lod = 1;  // AmberScript's default
  while (reader_.peek().is_word()) parse_sampler_option(sampler, word("an option of SAMPLER"));
  if (sampler.min_lod > sampler.max_lod)
    fail(fmt::format("MIN_LOD of SAMPLER {} is larger than its MAX_LOD; make it smaller", name));
  end_statement("SAMPLER");
  script_.samplers.push_back(sampler);
}

void Parser::parse_sampler_option(Sampler& sampler, const std::string& option) {
  const auto one_of = [&](const auto& list, auto& into) {
    const std::string value = word(fmt::format("the value of {}", option));
    const auto* found = find(list, value);
    if (found == nullptr)
      fail(fmt::format("{} {} is unknown to AmberScript; check its spelling", option, value));
    into = *found;
  };
  const auto real = [&] { return static_cast<float>(literal(option).real); };
  if (option == "MAG_FILTER")
    one_of(filters, sampler.mag_filter);
  else if (option == "MIN_FILTER")
    one_of(filters, sampler.min_filter);
  else if (option == "ADDRESS_MODE_U")
    one_of(address_modes, sampler.address_mode_u);
  else if (option == "ADDRESS_MODE_V")
    one_of(address_modes, sampler.address_mode_v);
  else if (option == "ADDRESS_MODE_W")
    one_of(address_modes, sampler.address_mode_w);
  else if (option == "BORDER_COLOR")
    one_of(border_colors, sampler.border_color);
  else if (option == "MIN_LOD")
    sampler.min_lod = real();
  else if (option == "MAX_LOD")
    sampler.max_lod = real();
  else if (option == "NORMALIZED_COORDS")
    sampler.unnormalized_coordinates = false;
  else if (option == "UNNORMALIZED_COORDS")
    sampler.unnormalized_coordinates = true;
  else if (option == "COMPARE")
    sampler.compares = parse_switch(option);
  else if (option == "COMPARE_OP")
    one_of(compare_ops, sampler.compare_op);
  else
    fail(fmt::format(
        "'{}' is not an option of SAMPLER; write MAG_FILTER, MIN_FILTER, ADDRESS_MODE_U, "
        "BORDER_COLOR, MIN_LOD, MAX_LOD, UNNORMALIZED_COORDS, COMPARE or COMPARE_OP",
        option));
}

std::size_t Parser::sampler_named(const std::string& name) const {
  const auto found = samplers_.find(name);
  if (found == samplers_.end())
    fail(fmt::format("there is no SAMPLER {}; declare it before it is used", name));
  return found->second;
}

}  // namespace lockstep::amber
