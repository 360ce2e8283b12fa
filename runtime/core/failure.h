#pragma once

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "runtime/core/error.h"

namespace nxv {

// An error on its way to another thread, by value: each thread that is told throws an exception object of its own.
struct Failure {
  Code code = Code::internal;
  std::string text;

  [[noreturn]] void raise() const { throw Error(code, text); }
};

// Of the exception being handled.
inline Failure caught(std::string_view function) {
  try {
    throw;
  } catch (const Error& error) {
    return {error.code(), error.what()};
  } catch (const std::bad_alloc&) {
    return {Code::out_of_memory, "[" + std::string(function) + "] out of host memory"};
  } catch (const std::exception& error) {
    return {Code::internal, "[" + std::string(function) + "] " + error.what()};
  } catch (...) {
    return {Code::internal, "[" + std::string(function) + "] an unknown exception"};
  }
}

}  // namespace nxv
