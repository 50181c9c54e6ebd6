#pragma once

/// \file
/// The parser's class; its parts are in parse_*.cpp. Users call parse of script.hpp.

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "amber/error.hpp"
#include "amber/reader.hpp"
#include "amber/script.hpp"

namespace lockstep::amber {

class Parser {
 public:
  explicit Parser(std::string_view text) : reader_(text) {}

  Script parse();

 private:
  // parser.cpp: words and statements
  [[noreturn]] void fail(const std::string& what) const;
  std::string word(std::string_view what);
  void expect(std::string_view keyword, std::string_view where);
  std::uint32_t number(std::string_view what);
  Literal literal(std::string_view what);
  void end_statement(std::string_view statement);
  bool next_in_block(Token& token, std::string_view block);
  bool accept(std::string_view keyword);
  bool parse_statement(const Token& token);
  void parse_requirement(Requirement::Kind kind, std::string_view keyword);
  void parse_set();
  void parse_virtual_file();
  void reject_later(const std::string& what);

  // parse_shader.cpp
  void parse_shader();
  void parse_shader_source(Shader& shader);
  std::size_t shader_named(const std::string& name) const;

  // parse_buffer.cpp
  void parse_struct();
  Member parse_member(const std::string& structure, const std::string& type);
  Type type_named(const std::string& name);
  void parse_buffer();
  void parse_buffer_of_type(Buffer& buffer);
  void parse_buffer_of_format(Buffer& buffer);
  void parse_image();
  void parse_image_option(Buffer& buffer, const std::string& option);
  void parse_initializer(Buffer& buffer, const std::string& keyword);
  void parse_data(Buffer& buffer);
  void set_layout(Buffer& buffer, Layout layout);
  void set_count(Buffer& buffer, std::uint64_t count);
  void check_values(const Buffer& buffer, std::initializer_list<Literal> values);
  void add_buffer(Buffer buffer);
  std::size_t buffer_named(const std::string& name) const;

  // parse_sampler.cpp
  void parse_sampler();
  void parse_sampler_option(Sampler& sampler, const std::string& option);
  std::size_t sampler_named(const std::string& name) const;

  // parse_pipeline.cpp
  void parse_pipeline();
  void parse_derived_pipeline();
  void add_pipeline_name(const std::string& name);
  void parse_pipeline_body(Pipeline& pipeline);
  void parse_attach(Pipeline& pipeline);
  void parse_specialization(Pipeline& pipeline);
  void parse_subgroup(Pipeline& pipeline);
  bool parse_switch(std::string_view option);
  void parse_required_size(Pipeline& pipeline);
  void require_feature(std::string_view feature) const;
  void parse_bind(Pipeline& pipeline);
  void parse_bind_buffer(Pipeline& pipeline, bool array);
  void parse_bind_sampler(Pipeline& pipeline, bool array);
  void parse_samplers(std::vector<Binding>& bindings);
  void parse_base_level(std::vector<Binding>& bindings);
  void parse_slot(Pipeline& pipeline, std::vector<Binding>& bindings, bool dynamic);
  void skip_framebuffer_size();
  void skip_block(std::string_view block);
  std::size_t pipeline_named(const std::string& name) const;

  // parse_command.cpp
  bool parse_repeatable(const Token& token, Command& into);
  void parse_repeat();
  Run parse_run();
  Copy parse_copy();
  Action parse_expect();
  Action parse_expect_buffers(std::size_t buffer, const std::string& comparison);
  Action parse_expect_pixels(std::size_t buffer, std::uint32_t x, std::uint32_t y);
  Action parse_expect_values(std::size_t buffer, std::uint32_t offset);
  std::vector<Tolerance> parse_tolerances(std::size_t most);

  Reader reader_;
  std::uint32_t line_ = 1;  ///< of the last token read
  Script script_;
  std::map<std::string, std::string> virtual_files_;
  std::map<std::string, std::uint32_t> virtual_file_lines_;
  std::map<std::string, std::shared_ptr<const Struct>> structs_;
  std::map<std::string, std::size_t> shaders_, buffers_, samplers_, pipelines_;
  std::optional<ScriptError> rejected_;  ///< the first thing that only graphics pipelines can use
};

}  // namespace lockstep::amber
