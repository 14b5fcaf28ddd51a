#pragma once

#include <functional>
#include <string>

#include "gdkm/store/store_location.hpp"

namespace gdkm {

struct StoreServerOptions {
  StoreLocation store;
  std::string host = "127.0.0.1";
  int port = 0;       // 0 for any that is free
  std::string token;  // what a reader must present; "" for none, which is for loopback alone
};

/// Whether only programs of this machine can reach a server at this address.
bool is_loopback(const std::string& host);

/// A token that nobody guesses: 32 hexadecimal digits of the system's random numbers.
std::string random_token();

/// Serves the live page of a store and its report until `interrupted` says so. It has four resources (/,
/// /live.js, /live.json and /report), which are made from the store: no file can be asked for, and nothing
/// can be changed. `ready` is called with the page's address. An InputError if the address cannot be used, if
/// it is open to others without a token, or in a build without cpp-httplib.
void serve_store(const StoreServerOptions& options, const std::function<void(const std::string&)>& ready,
                 const std::function<bool()>& interrupted);

}  // namespace gdkm
