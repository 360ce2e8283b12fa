[
  inputs: ["mix.exs", ".formatter.exs", "script/*.exs", "{lib,test/elixir}/**/*.{ex,exs}"],
  line_length: 120
]
