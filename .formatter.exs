[
  inputs: ["mix.exs", ".formatter.exs", "script/*.exs", "lib/**/*.ex", "test/elixir/**/*.{ex,exs}"],
  line_length: 120
]
