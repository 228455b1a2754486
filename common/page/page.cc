// SPDX-License-Identifier: Apache-2.0
#include "common/page/page.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>

#include <vector>

#include "common/page/files.h"

namespace lockstep::page {
namespace {

// As a Content-Security-Policy names an inline script or style.
std::string hash_source(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const uint8_t*>(text.data()));
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_digest(&context, sizeof digest, digest);
  std::string encoded(BASE64_ENCODE_RAW_LENGTH(sizeof digest), 0);
  base64_encode_raw(encoded.data(), sizeof digest, digest);
  return " 'sha256-" + encoded + "'";
}

std::string page_of(const std::string& title, const std::vector<std::string_view>& styles,
                    const std::vector<std::string_view>& scripts, const nlohmann::json& data) {
  std::string policy = "default-src 'none'; base-uri 'none'; form-action 'none'";
  std::string head, body, style_hashes, script_hashes;
  for (const std::string_view style : styles) {
    style_hashes += hash_source(style);
    head += "<style>" + std::string(style) + "</style>\n";
  }
  for (const std::string_view script : scripts) {
    script_hashes += hash_source(script);
    body += "<script>" + std::string(script) + "</script>\n";
  }
  policy += "; style-src" + style_hashes + "; script-src" + script_hashes +
            "; require-trusted-types-for 'script'; trusted-types 'none'";
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
         title + "</title>\n" + head +
         "</head>\n<body>\n<main id=\"page\"><noscript>This page needs JavaScript; all of it is in "
         "the file itself.</noscript></main>\n<script type=\"application/json\" id=\"data\">" +
         embedded(data) + "</script>\n" + body + "</body>\n</html>\n";
}

}  // namespace

std::string embedded(const nlohmann::json& data) {
  const std::string plain = data.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";
    else if (c == '>')
      text += "\\u003e";
    else if (c == '&')
      text += "\\u0026";
    else
      text += c;
  }
  return text;
}

std::string class_page(const nlohmann::json& data) {
  return page_of("Results", {style()}, {base_script(), class_script()}, data);
}

// Who has a page has a copy of the library.
std::string student_page(const nlohmann::json& data) {
  std::string page = page_of("Results", {plot_style(), style()},
                             {plot_script(), base_script(), student_script()}, data);
  const std::string end = "</body>";
  page.insert(page.rfind(end), "<!-- uPlot: " + std::string(plot_licence()) + "-->\n");
  return page;
}

}  // namespace lockstep::page
