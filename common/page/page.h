// SPDX-License-Identifier: Apache-2.0
// Pages of results as single HTML files, which open from a disk without a network: template, style,
// scripts and a charting library (uplot/) are in the program. Nothing of `data` can be executed: it
// stands in the page as JSON without '<', '>' and '&', comes into the document as text nodes alone,
// and the page's policy allows the scripts of this folder, by their hashes, and nothing else.
//
// Of a class:
//   homework, title, max    texts; the points that there are
//   facts                   [[name, value]]
//   checks                  [{id, title, max, hidden}]
//   students                [{name, file, verdict, words, reason, points or null, max, checks,
//                             first, review, weak}]; checks: a letter for each of the class's
//                           (p pass, h partial, f fail, w waits for another, r review, n not
//                           measured, x hidden, ' ' not there); first: index of the first missed,
//                           -1
//   similar                 [{members: indices of students, least, most}], shares of 1;
//                           similar_words, not_compared
//   absent                  number of those who are left out
// Of one submission or run:
//   homework, name, verdict, words, message, quoted [lines], first, facts
//   points (null: none given; may be missing), max, undecided, review, weak, back: may be missing
//   checks_title, checks    [{id, title, status, points, max, hidden, blocks, waits_for, kernel,
//                             measured, threshold, tier, message, quoted, costs [{words, quoted}],
//                             hint, reproduce}]
//   source                  null or {file, words, lines: [text]}
//   notes                   [{line, words}] of the source
//   kernels                 [{name, elements, lines: [[line, {metric: count}]]}]
//   code, no_code           as common/backend/machine_code.h has it, with student_file, an index of
//                           files; or null, and why
//   plots                   null or {own, reference_name, sweep, metrics [{key, heading, meaning}],
//                           kernels [{name, points [[warps, {metric: value}]], reference}]}
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lockstep::page {

std::string class_page(const nlohmann::json& data);
std::string student_page(const nlohmann::json& data);

// JSON as it stands in a page: ASCII, and nothing in it that HTML knows. Bytes that are no UTF-8
// are replaced.
std::string embedded(const nlohmann::json& data);

}  // namespace lockstep::page
