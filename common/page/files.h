// SPDX-License-Identifier: Apache-2.0
// The files of this folder that are in the program.
#pragma once

#include <string_view>

namespace lockstep::page {

std::string_view style();         // page.css
std::string_view base_script();   // base.js
std::string_view class_script();  // class.js
std::string_view student_script();
std::string_view plot_style();  // uplot/
std::string_view plot_script();
std::string_view plot_licence();

}  // namespace lockstep::page
