//! The parts of the tests.

/// A part of the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Format, sizes, words, import cycles, layers and the supply chain. Lints run with every
    /// build.
    Check,
    /// The build of the program and its tests, with lints, and what the tests need installed.
    #[value(skip)]
    Build,
    /// Rust tests on SQLite, PostgreSQL, hints in memory and Redis.
    Rust,
    /// The built program against the OpenAPI document of its API.
    Contract,
    /// Browser tests of the built program in Chromium.
    E2e,
    /// Fault injection into the built program, and the seeded simulation.
    Faults,
    /// Fault tests that assert how long something takes; weekly.
    Timed,
    /// Tests on a real Ghost, which is installed for them; weekly.
    Ghost,
    /// Documentation without warnings, and benchmarks that compile; weekly.
    Docs,
    /// Sizes of the optimised wasm; weekly.
    Sizes,
}

impl Part {
    /// All of them, in the order in which they run.
    pub const ALL: [Self; 10] = [
        Self::Check,
        Self::Build,
        Self::E2e,
        Self::Rust,
        Self::Contract,
        Self::Faults,
        Self::Timed,
        Self::Ghost,
        Self::Docs,
        Self::Sizes,
    ];

    /// Whether it runs only with `--all`, or when it is asked for.
    pub fn is_weekly(self) -> bool {
        matches!(self, Self::Timed | Self::Ghost | Self::Docs | Self::Sizes)
    }

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Build => "build",
            Self::Rust => "rust",
            Self::Contract => "contract",
            Self::E2e => "e2e",
            Self::Faults => "faults",
            Self::Timed => "timed",
            Self::Ghost => "ghost",
            Self::Docs => "docs",
            Self::Sizes => "sizes",
        }
    }

    /// What the progress lines call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Check => "checks",
            Self::Build => "build with lints",
            Self::Rust => "Rust tests",
            Self::Contract => "API against its OpenAPI document",
            Self::E2e => "browser tests",
            Self::Faults => "fault injection and simulation",
            Self::Timed => "timed fault tests",
            Self::Ghost => "tests on a real Ghost",
            Self::Docs => "documentation and benchmarks",
            Self::Sizes => "sizes of the optimised wasm",
        }
    }

    /// Seconds on two quiet cores, used as the estimate until this machine has run it once.
    pub fn usual_seconds(self) -> u64 {
        match self {
            Self::Check => 20,
            Self::Build => 420,
            Self::Rust => 500,
            Self::Contract => 200,
            Self::E2e => 450,
            Self::Faults => 330,
            Self::Timed => 340,
            Self::Ghost => 90,
            Self::Docs => 300,
            Self::Sizes => 480,
        }
    }
}
