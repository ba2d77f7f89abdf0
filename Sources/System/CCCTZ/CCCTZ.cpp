#include "CCCTZ.h"
#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/stat.h>
#include <type_traits>

// A CCTZ zone is a single pointer to rules that CCTZ owns: only this pointer is passed around.
static_assert(sizeof(cctz::time_zone) == sizeof(const cctz_zone *), "one pointer");
static_assert(std::is_trivially_copyable<cctz::time_zone>::value, "that can be copied");

// Debian 12 and 13 name the library after different versions, and both have these functions. It is
// looked up when the program runs, so that one program runs on both.
namespace {

using Moment = cctz::time_point<cctz::seconds>;

struct Library {
  bool (*load)(const std::string &, cctz::time_zone *) = nullptr;
  cctz::time_zone::absolute_lookup (*lookup)(const cctz::time_zone *, const Moment &) = nullptr;

  Library() {
    for (const char *name : {"libcctz.so.2.4", "libcctz.so.2", "libcctz.so"}) {
      void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      find(library, &load,
           "_ZN4cctz14load_time_zoneERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
           "PNS_9time_zoneE");
      find(library, &lookup,
           "_ZNK4cctz9time_zone6lookupERKNSt6chrono10time_pointINS1_3_V212system_clockE"
           "NS1_8durationIlSt5ratioILl1ELl1EEEEEE");
      if (is_there()) return;
    }
  }

  bool is_there() const { return load != nullptr && lookup != nullptr; }

private:
  template <typename Function> void find(void *library, Function *function, const char *name) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
  }
};

const Library &library() {
  static const Library found;
  return found;
}

}  // namespace

bool cctz_is_there(void) { return library().is_there(); }

const char *cctz_directory(void) {
  const char *directory = std::getenv("TZDIR");
  return directory != nullptr && *directory != '\0' ? directory : "/usr/share/zoneinfo";
}

bool cctz_is_zone_file(const char *name) try {
  const std::string path = std::string(cctz_directory()) + "/" + name;
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  std::FILE *file = std::fopen(path.c_str(), "rbe");
  if (file == nullptr) return false;
  char mark[4] = {};
  const size_t length = std::fread(mark, 1, sizeof mark, file);
  std::fclose(file);
  return length == sizeof mark && std::memcmp(mark, "TZif", sizeof mark) == 0;
} catch (...) {
  return false;
}

const cctz_zone *cctz_open(const char *name) try {
  cctz::time_zone zone;
  if (!cctz_is_there() || !library().load(name, &zone)) return nullptr;
  const cctz_zone *rules;
  std::memcpy(&rules, &zone, sizeof rules);
  return rules;
} catch (...) {
  return nullptr;
}

cctz_local_time cctz_read(const cctz_zone *zone, int64_t seconds_since_1970) {
  const Moment moment{cctz::seconds(seconds_since_1970)};
  cctz::time_zone rules;
  std::memcpy(static_cast<void *>(&rules), &zone, sizeof zone);
  const auto found = library().lookup(&rules, moment);
  cctz_local_time result = {};
  result.year = found.cs.year();
  result.month = found.cs.month();
  result.day = found.cs.day();
  result.hour = found.cs.hour();
  result.minute = found.cs.minute();
  result.second = found.cs.second();
  result.weekday = static_cast<int32_t>(cctz::get_weekday(cctz::civil_day(found.cs)));
  result.yearday = cctz::get_yearday(cctz::civil_day(found.cs));
  result.offset = found.offset;
  for (int index = 0; index < 8 && found.abbr[index] != '\0'; index++) {
    result.abbreviation |= static_cast<uint64_t>(static_cast<unsigned char>(found.abbr[index]))
                           << (8 * index);
  }
  return result;
}
