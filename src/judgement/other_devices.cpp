#include "judgement/other_devices.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "judgement/limits.hpp"

namespace lockstep::judgement {
namespace {

namespace ex = lockstep::explore;

ex::Dimensions of_other_devices() {
  ex::Dimensions others;
  for (const ex::Dimension d :
       {ex::Dimension::subgroup_size, ex::Dimension::mapping, ex::Dimension::partial_subgroups})
    others.add(d);
  return others;
}

/// The runs differ in one byte: whether they give what the device gave.
ex::Verdict explored(const Rerun& rerun, const std::vector<Place>& places, const Contents& device,
                     const ex::Dimensions& vary) {
  const auto gives = [&](const Contents& contents) {
    return std::ranges::all_of(places, [&](const Place& place) {
      return std::memcmp(contents[place.part].data() + place.byte,
                         device[place.part].data() + place.byte, io::bytes_of(place.type)) == 0;
    });
  };
  const ex::Subject subject = [&](const ex::Setting& setting, Chooser& chooser,
                                  Observer* observer) {
    Contents contents = rerun.inputs();
    Convergence convergence{
        .rule = setting.rule, .chooser = &chooser, .observer = observer, .max_trips = most_steps};
    Dispatch how = plain_dispatch();
    how.max_steps = most_steps;
    if (needs_tangles(setting, observer)) how.convergence = &convergence;
    how.mapping = setting.mapping;
    how.order = setting.order;
    ex::Result result;
    result.steps = rerun.run(contents, how, setting.subgroup_size).steps;
    result.buffers = {{std::byte{gives(contents)}}};
    return result;
  };
  ex::Request request;
  request.vary = vary;
  request.first.subgroup_size = rerun.pipeline().subgroup_size();
  request.first.rule = rerun.rule();
  request.sizes = {4, 8, 16, 32, 64};
  const Size3 groups = rerun.groups();
  request.workgroups = std::uint64_t{groups.x} * groups.y * groups.z;
  request.most_runs = 400;
  request.most_time = std::chrono::seconds(5);
  request.threads = 1;
  return ex::explore(subject, request);
}

}  // namespace

std::optional<OtherBehaviour> find_other_behaviour(const Rerun& rerun,
                                                   const std::vector<Place>& places,
                                                   const Contents& device,
                                                   const explore::Dimensions& fixed) {
  const ex::Dimensions others = of_other_devices();
  ex::Dimensions own = ex::Dimensions::all();
  for (const ex::Dimension d : others.list()) own.remove(d);
  for (const ex::Dimension d : fixed.list()) own.remove(d);
  for (const ex::Dimensions& vary : {own, others}) {
    const ex::Verdict verdict = explored(rerun, places, device, vary);
    if (!verdict.smallest || !verdict.smallest->difference.error.empty()) continue;
    const std::vector<ex::Dimension> on = verdict.smallest->on.list();
    const bool same_device =
        std::ranges::none_of(on, [&](ex::Dimension d) { return others.has(d); });
    return OtherBehaviour{verdict.smallest->setting, verdict.smallest->on, same_device};
  }
  return std::nullopt;
}

}  // namespace lockstep::judgement
