// SPDX-License-Identifier: Apache-2.0
// The compiled half of {fmt}, from its own header: Debian ships it as a shared library only, and
// the programs must run where that is not installed. With another major version than Debian 12's
// this file is empty, and the shared library is linked instead.
#include <fmt/format.h>

#if FMT_VERSION / 10000 == 9
#include <fmt/format-inl.h>

namespace fmt {
inline namespace v9 {
namespace detail {

template dragonbox::decimal_fp<float> dragonbox::to_decimal(float) noexcept;
template dragonbox::decimal_fp<double> dragonbox::to_decimal(double) noexcept;
template locale_ref::locale_ref(const std::locale&);
template std::locale locale_ref::get<std::locale>() const;
template thousands_sep_result<char> thousands_sep_impl(locale_ref);
template char decimal_point_impl(locale_ref);
template void buffer<char>::append(const char*, const char*);
template void vformat_to(buffer<char>&, string_view, basic_format_args<buffer_context<char>>,
                         locale_ref);

}  // namespace detail
}  // namespace v9
}  // namespace fmt
#endif
