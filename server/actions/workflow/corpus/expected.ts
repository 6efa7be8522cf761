/** What a workflow of the corpus does according to GitHub's documentation. */
export interface Expected {
  /** Events of `on` that are valid, in alphabetical order. */
  events: string[]
  /** Start of the run; by ada with a push to `main` of acme/tool unless it says otherwise. */
  start?: { event?: string; ref?: string; payload?: Record<string, unknown> }
  title?: string
  /** Concurrency group of the run, and `replacing` or `in line`. */
  group?: string
  /** Jobs of the new run: `id: name [labels] after needs status, settings`. */
  jobs: string[]
  /** Beginnings of the warnings that the run shows. */
  warnings?: string[]
  /** How jobs end and what outputs they set; other jobs that run succeed without outputs. */
  results?: Record<string, { fails?: true; outputs?: Record<string, string> }>
  /** Jobs of the completed run, without their needs. */
  ends?: string[]
}

const push = ['push']
const tag = { ref: 'refs/tags/v1.2.0' }
const release = { event: 'release', ...tag }
const environment = (line: number, column: number, job: string): string =>
  `line ${line}, column ${column}: The environment of job '${job}' has no effect`
const mixed = (line: number, column: number, job: string): string =>
  `line ${line}, column ${column}: A condition in job '${job}' is always true`

const absent = (line: number, column: number, event: string): string =>
  `line ${line}, column ${column}: '${event}' never happens on this site`

/** Beginnings of the messages of workflows that are refused, although GitHub runs them. */
export const refused: Record<string, string> = {
  'background-steps': "line 7, column 39: Unexpected value 'background'",
}

export const expected: Record<string, Expected> = {
  'all-green': {
    events: push,
    jobs: [
      'lint: lint [ubuntu-latest] queued',
      'test: test [ubuntu-latest] queued',
      'docs: docs [ubuntu-latest] after lint waiting',
      'report: report [ubuntu-latest] after docs, test waiting',
      'publish: publish [ubuntu-latest] after docs, test waiting',
      'after-publish: after-publish [ubuntu-latest] after publish waiting',
      'all-green: All checks passed [ubuntu-latest] after lint, test, docs waiting',
    ],
    results: { test: { fails: true } },
    ends: [
      'lint: lint [ubuntu-latest] success',
      'test: test [ubuntu-latest] failure',
      'docs: docs [ubuntu-latest] success',
      'report: report [ubuntu-latest] success',
      'publish: publish [ubuntu-latest] skipped',
      'after-publish: after-publish [ubuntu-latest] skipped',
      'all-green: All checks passed [ubuntu-latest] success',
    ],
  },
  analysis: {
    events: ['push', 'schedule'],
    jobs: [
      'analyze: Analyze (go) [ubuntu-latest] queued, all run',
      'analyze: Analyze (swift) [macos-latest] queued, all run',
    ],
  },
  anchors: {
    events: push,
    jobs: [
      'first: first [self-hosted, linux] queued',
      'second: second [self-hosted, linux] after first waiting',
      'third: third [self-hosted, linux] queued',
    ],
  },
  android: {
    events: push,
    jobs: [
      'build: build [ubuntu-latest] queued',
      'emulator: emulator (29, x86_64) [ubuntu-latest] after build waiting',
      'emulator: emulator (34, x86_64) [ubuntu-latest] after build waiting',
    ],
  },
  'block-scalars': {
    events: push,
    jobs: [
      'folded: folded [ubuntu-latest] queued',
      'literal: literal [ubuntu-latest] skipped',
      'braces: braces [ubuntu-latest] skipped',
      'line-break: line-break [ubuntu-latest] queued',
    ],
    warnings: [mixed(24, 9, 'line-break')],
  },
  called: {
    events: ['workflow_call'],
    jobs: ['build: build [ubuntu-latest] queued', 'publish: publish [ubuntu-latest] after build waiting'],
    ends: ['build: build [ubuntu-latest] success', 'publish: publish [ubuntu-latest] skipped'],
  },
  'called-or-started': {
    events: ['push', 'workflow_call', 'workflow_dispatch'],
    jobs: ['log: Level none [ubuntu-latest] queued'],
  },
  'changed-parts': {
    events: push,
    jobs: [
      'changes: changes [ubuntu-latest] queued',
      'api: api [ubuntu-latest] after changes waiting',
      'web: web [ubuntu-latest] after changes waiting',
      'deploy: deploy [ubuntu-latest] after api, web waiting',
      'strict: strict [ubuntu-latest] after api, web waiting',
    ],
    results: { changes: { outputs: { api: 'true', web: 'false' } } },
    ends: [
      'changes: changes [ubuntu-latest] success',
      'api: api [ubuntu-latest] success',
      'web: web [ubuntu-latest] skipped',
      'deploy: deploy [ubuntu-latest] success',
      'strict: strict [ubuntu-latest] skipped',
    ],
  },
  cleanup: {
    events: push,
    jobs: [
      'prepare: prepare [ubuntu-latest] queued',
      'deploy: deploy [ubuntu-latest] after prepare waiting',
      'undo: undo [ubuntu-latest] after prepare, deploy waiting',
      'clean: clean [ubuntu-latest] after prepare, deploy waiting',
      'notify: notify [ubuntu-latest] after deploy waiting',
    ],
    ends: [
      'prepare: prepare [ubuntu-latest] success',
      'deploy: deploy [ubuntu-latest] skipped',
      'undo: undo [ubuntu-latest] skipped',
      'clean: clean [ubuntu-latest] success',
      'notify: notify [ubuntu-latest] skipped',
    ],
  },
  cmake: {
    events: push,
    jobs: [
      'build: Ubuntu GCC [ubuntu-latest] queued',
      'package: package (deb, focal, jammy) [ubuntu-latest] after build waiting',
      'package: package (rpm) [ubuntu-latest] after build waiting',
    ],
  },
  'comment-command': {
    events: ['issue_comment'],
    warnings: [absent(3, 3, 'issue_comment')],
    jobs: ['deploy: deploy [ubuntu-latest] skipped'],
  },
  'commit-messages': {
    events: push,
    jobs: [
      'wip: wip [ubuntu-latest] skipped',
      'fix: Ada [ubuntu-latest] queued',
      'bot: bot [ubuntu-latest] queued',
      'created: created [ubuntu-latest] skipped',
    ],
  },
  compose: { events: push, jobs: ['integration: integration [ubuntu-latest] queued'] },
  'concurrency-queue': {
    events: push,
    group: 'Migrations, in line',
    jobs: ['migrate: migrate [ubuntu-latest] queued'],
  },
  'cron-words': {
    events: ['schedule'],
    start: { event: 'schedule', payload: { schedule: '@daily' } },
    jobs: ['tick: tick [ubuntu-latest] queued'],
    warnings: ["line 6, column 7: 'every day' is not a valid cron pattern"],
  },
  dependabot: {
    events: ['pull_request'],
    warnings: [absent(2, 5, 'pull_request')],
    jobs: ['merge: merge [ubuntu-latest] skipped'],
  },
  deploy: {
    events: push,
    group: 'deploy-main',
    jobs: ['deploy: deploy [self-hosted, deploy] queued'],
    warnings: [environment(11, 18, 'deploy')],
  },
  'deploy-chain': {
    events: push,
    jobs: [
      'test: test [ubuntu-latest] queued',
      'staging: staging [ubuntu-latest] after test waiting, in group staging',
      'production: production [ubuntu-latest] after staging waiting, in group production',
    ],
    warnings: [environment(11, 18, 'staging'), environment(18, 18, 'production')],
  },
  'deploy-regions': {
    events: push,
    jobs: [
      'deploy: Deploy to eu-west-1 [ubuntu-latest] queued, at most 1, in group deploy-eu-west-1',
      'deploy: Deploy to us-east-1 [ubuntu-latest] waiting, at most 1, in group deploy-us-east-1, replacing',
    ],
  },
  dispatched: {
    events: ['repository_dispatch'],
    start: {
      event: 'repository_dispatch',
      payload: { action: 'rollback', client_payload: { version: '1.3.9' } },
    },
    title: 'rollback of 1.3.9',
    jobs: ['deploy: deploy [ubuntu-latest] skipped'],
  },
  'docker-platforms': {
    events: push,
    jobs: [
      'build: build (linux/amd64) [ubuntu-24.04] queued',
      'build: build (linux/arm64) [ubuntu-24.04-arm] queued',
      'merge: merge [ubuntu-24.04] after build waiting',
    ],
  },
  'docker-publish': {
    events: ['pull_request', 'push', 'schedule'],
    warnings: [absent(8, 3, 'pull_request')],
    jobs: ['build: build [ubuntu-latest] queued'],
  },
  docs: { events: ['push', 'workflow_dispatch'], jobs: ['docs: docs [ubuntu-latest] queued'] },
  dotnet: {
    events: push,
    jobs: ['build: build (Debug) [windows-latest] queued', 'build: build (Release) [windows-latest] queued'],
  },
  electron: {
    events: push,
    start: tag,
    jobs: [
      'release: release (macos-latest) [macos-latest] queued',
      'release: release (ubuntu-latest) [ubuntu-latest] queued',
      'release: release (windows-latest) [windows-latest] queued',
    ],
  },
  elixir: {
    events: push,
    jobs: [
      'test: test (1.15.8, 25.3) [ubuntu-22.04] queued, all run',
      'test: test (1.18.1, 27.2, lint) [ubuntu-22.04] queued, all run',
    ],
  },
  'event-list': {
    events: [
      'fork',
      'gollum',
      'merge_group',
      'page_build',
      'registry_package',
      'repository_dispatch',
      'status',
      'watch',
      'workflow_dispatch',
    ],
    warnings: [
      "line 6, column 5: 'merge_group', 'registry_package', 'page_build', 'watch', 'status', and 2 more events never",
    ],
    jobs: ['log: log [ubuntu-latest] queued'],
  },
  experimental: {
    events: push,
    jobs: [
      'test: test (6) [ubuntu-latest] queued',
      'test: test (7) [ubuntu-latest] queued',
      'test: test (8, true) [ubuntu-latest] queued, may fail',
      'after: after [ubuntu-latest] after test waiting',
    ],
  },
  followers: {
    events: ['workflow_run'],
    start: {
      event: 'workflow_run',
      payload: { action: 'completed', workflow_run: { name: 'Node CI', conclusion: 'failure' } },
    },
    jobs: ['deploy: deploy [ubuntu-latest] skipped', 'alert: Alert about Node CI [ubuntu-latest] queued'],
  },
  frontend: {
    events: push,
    group: 'Frontend-refs/heads/main, replacing',
    jobs: [
      'lint: lint [ubuntu-latest] queued',
      'unit: unit [ubuntu-latest] queued',
      'build: build [ubuntu-latest] after lint, unit waiting',
    ],
  },
  functions: {
    events: push,
    jobs: [
      'format: {main} 7 [main-runner] queued',
      'compare: compare [ubuntu-latest] queued',
      'short-circuit: short-circuit [ubuntu-latest] queued',
      'index: [ 1 ] [ubuntu-latest] queued',
      "apostrophes: Ada's tests of Bob's tool's parser's parts [ubuntu-latest] queued",
    ],
  },
  gitea: {
    events: push,
    title: 'ada is testing out Gitea Actions',
    jobs: ['explore: acme/tool [ubuntu-latest] queued'],
  },
  go: {
    events: push,
    jobs: [
      'test: Go 1.23 [ubuntu-24.04] queued',
      'test: Go 1.24 [ubuntu-24.04] queued',
      'lint: lint [ubuntu-24.04] queued',
    ],
  },
  goreleaser: { events: push, start: tag, jobs: ['goreleaser: goreleaser [ubuntu-latest] queued'] },
  gradle: {
    events: push,
    jobs: [
      'build: build (17, ubuntu-latest) [ubuntu-latest] queued',
      'build: build (21, ubuntu-latest) [ubuntu-latest] queued',
      'build: build (windows-latest, 21) [windows-latest] queued',
      'dependency-submission: dependency-submission [ubuntu-latest] queued',
    ],
  },
  haskell: {
    events: push,
    jobs: [
      'build: GHC 9.6 on ubuntu-latest [ubuntu-latest] queued',
      'build: GHC 9.10 on ubuntu-latest [ubuntu-latest] queued',
      'build: GHC latest on ubuntu-latest [ubuntu-latest] queued',
      'build: GHC 9.10 on macos-latest [macos-latest] queued',
    ],
  },
  hello: { events: push, jobs: ['hello: hello [ubuntu-latest] queued'] },
  labeler: {
    events: ['pull_request_target'],
    warnings: [absent(3, 5, 'pull_request_target')],
    jobs: ['label: label [ubuntu-latest] queued'],
  },
  manual: {
    events: ['workflow_dispatch'],
    start: {
      event: 'workflow_dispatch',
      payload: {
        inputs: {
          version: '1.4.0',
          target: 'production',
          replicas: '3',
          'dry-run': 'true',
          environment: 'live',
          note: '',
        },
      },
    },
    title: 'Deploy 1.4.0 to production by @ada',
    jobs: [
      'check: check [ubuntu-latest] queued',
      'preview: preview [ubuntu-latest] queued',
      'deploy: Deploy to production [ubuntu-latest] skipped',
    ],
    warnings: [environment(38, 18, 'deploy')],
  },
  'matrix-broken': {
    events: push,
    jobs: [
      'plan: plan [ubuntu-latest] queued',
      'run: run [ubuntu-latest] after plan waiting',
      'rescue: rescue [ubuntu-latest] after run waiting',
    ],
    ends: [
      'plan: plan [ubuntu-latest] success',
      'run: run [ubuntu-latest] failure',
      'rescue: rescue [ubuntu-latest] success',
    ],
  },
  'matrix-documented': {
    events: push,
    jobs: [
      'example: example (apple, cat) [ubuntu-latest] queued',
      'example: example (apple, dog) [ubuntu-latest] queued',
      'example: example (pear, cat) [ubuntu-latest] queued',
      'example: example (pear, dog) [ubuntu-latest] queued',
      'example: example (banana) [ubuntu-latest] queued',
      'example: example (banana, cat) [ubuntu-latest] queued',
    ],
  },
  'matrix-expressions': {
    events: push,
    jobs: [
      'vector: vector (ubuntu-latest, fast) [ubuntu-latest] queued',
      'vector: vector (ubuntu-latest, main) [ubuntu-latest] queued',
      'vector: vector (macos-latest, main) [macos-latest] queued',
      'whole: whole (1) [ubuntu-latest] queued, all run, at most 1',
      'whole: whole (2) [ubuntu-latest] waiting, all run, at most 1',
    ],
  },
  'matrix-output': {
    events: push,
    jobs: ['plan: plan [ubuntu-latest] queued', `run: run [\${{ matrix.os }}] after plan waiting`],
    results: {
      plan: { outputs: { matrix: '{"include":[{"os":"ubuntu-latest","n":1},{"os":"macos-latest"}]}' } },
    },
    ends: [
      'plan: plan [ubuntu-latest] success',
      'run: run (ubuntu-latest, 1) [ubuntu-latest] success, all run',
      'run: run (macos-latest) [macos-latest] success, all run',
    ],
  },
  maven: { events: push, jobs: ['build: build [ubuntu-latest] queued'] },
  'mixed-conditions': {
    events: push,
    jobs: [
      'one: one [ubuntu-latest] queued',
      'two: two [ubuntu-latest] queued',
      'steps: steps [ubuntu-latest] queued',
      'written: written [ubuntu-latest] skipped',
    ],
    warnings: [mixed(5, 9, 'one'), mixed(9, 9, 'two'), mixed(15, 13, 'steps'), mixed(17, 13, 'steps')],
  },
  monorepo: {
    events: push,
    jobs: [
      'changes: changes [ubuntu-latest] queued',
      'test: test [ubuntu-latest] after changes waiting',
      'done: done [ubuntu-latest] after test waiting',
    ],
    results: { changes: { outputs: { packages: '["api","web"]' } } },
    ends: [
      'changes: changes [ubuntu-latest] success',
      'test: test (api) [ubuntu-latest] success, all run',
      'test: test (web) [ubuntu-latest] success, all run',
      'done: done [ubuntu-latest] success',
    ],
  },
  'monorepo-idle': {
    events: push,
    jobs: [
      'changes: changes [ubuntu-latest] queued',
      'test: test [ubuntu-latest] after changes waiting',
      'done: done [ubuntu-latest] after test waiting',
    ],
    results: { changes: { outputs: { packages: '[]' } } },
    ends: [
      'changes: changes [ubuntu-latest] success',
      'test: test [ubuntu-latest] skipped',
      'done: done [ubuntu-latest] success',
    ],
  },
  'monorepo-paths': { events: push, jobs: ['test: test [ubuntu-latest] queued'] },
  names: {
    events: push,
    jobs: [
      'literal: Literal (1, true, a, b) [ubuntu-latest] queued',
      'empty: empty [ubuntu-latest] queued',
      'computed: computed (1) [ubuntu-latest] queued',
      'constant: Always the same (1) [ubuntu-latest] queued',
      'constant: Always the same (2) [ubuntu-latest] queued',
    ],
  },
  nightly: {
    events: ['schedule'],
    start: { event: 'schedule', payload: { schedule: '30 2 * * 1-5' } },
    jobs: ['short: short [ubuntu-latest] queued', 'long: long [ubuntu-latest] skipped'],
  },
  'nightly-guarded': {
    events: ['schedule', 'workflow_dispatch'],
    start: { event: 'schedule', payload: { schedule: '17 3 * * *' } },
    jobs: ['nightly: nightly [ubuntu-latest] queued', 'fork: fork [ubuntu-latest] skipped'],
  },
  node: {
    events: ['pull_request', 'push'],
    warnings: [absent(5, 3, 'pull_request')],
    jobs: [
      'build: build (20.x) [ubuntu-latest] queued',
      'build: build (22.x) [ubuntu-latest] queued',
      'build: build (24.x) [ubuntu-latest] queued',
    ],
  },
  'node-systems': {
    events: ['pull_request', 'push'],
    warnings: [absent(2, 12, 'pull_request')],
    jobs: [
      'test: ubuntu-latest / Node 20 [ubuntu-latest] queued, all run',
      'test: ubuntu-latest / Node 22 [ubuntu-latest] queued, all run',
      'test: windows-latest / Node 20 [windows-latest] queued, all run',
      'test: windows-latest / Node 22 [windows-latest] queued, all run',
      'test: macos-latest / Node 22 [macos-latest] queued, all run',
      'test: ubuntu-latest / Node 25 [ubuntu-latest] queued, may fail, all run',
    ],
  },
  'npm-publish': {
    events: ['release'],
    start: release,
    jobs: ['test: test [ubuntu-latest] queued', 'publish: Publish v1.2.0 [ubuntu-latest] after test waiting'],
    ends: ['test: test [ubuntu-latest] success', 'publish: Publish v1.2.0 [ubuntu-latest] success'],
  },
  numbers: {
    events: push,
    title: 'Build 12.1 (7041)',
    jobs: ['build: Build 12 [ubuntu-latest] queued', 'first: first [ubuntu-latest] skipped'],
  },
  outputs: {
    events: push,
    jobs: [
      'choose: choose [ubuntu-latest] queued',
      `use: use [self-hosted, \${{ needs.choose.outputs.label }}] after choose waiting`,
    ],
    results: { choose: { outputs: { label: 'box-7', title: 'seven' } } },
    ends: [
      'choose: choose [ubuntu-latest] success',
      'use: Use seven [self-hosted, box-7] success, may fail, in group use-box-7',
    ],
  },
  pages: {
    events: ['push', 'workflow_dispatch'],
    group: 'pages',
    jobs: ['build: build [ubuntu-latest] queued', 'deploy: deploy [ubuntu-latest] after build waiting'],
    warnings: [environment(21, 7, 'deploy')],
  },
  php: {
    events: push,
    jobs: [
      'tests: PHP 8.2 with lowest dependencies [ubuntu-latest] queued, all run',
      'tests: PHP 8.2 with highest dependencies [ubuntu-latest] queued, all run',
      'tests: PHP 8.3 with highest dependencies [ubuntu-latest] queued, all run',
    ],
  },
  'pull-request': {
    events: ['pull_request'],
    group: 'Checks of a pull request-7041, replacing',
    warnings: [absent(3, 3, 'pull_request')],
    jobs: ['title: title [ubuntu-latest] queued'],
  },
  python: {
    events: push,
    jobs: [
      'test: test (3.10) [ubuntu-latest] queued',
      'test: test (3.11) [ubuntu-latest] queued',
      'test: test (3.12) [ubuntu-latest] queued',
    ],
  },
  'python-publish': {
    events: ['release'],
    start: release,
    jobs: ['build: build [ubuntu-latest] queued', 'publish: publish [ubuntu-latest] after build waiting'],
    warnings: [environment(22, 7, 'publish')],
  },
  'python-unquoted': {
    events: push,
    jobs: ['test: test (3.9) [ubuntu-latest] queued', 'test: test (3.1) [ubuntu-latest] queued'],
  },
  quirks: {
    events: push,
    jobs: [
      'values: values (3.1) [ubuntu-latest] queued',
      'values: values (10) [ubuntu-latest] queued',
      'values: values (31) [ubuntu-latest] queued',
      'values: values (15) [ubuntu-latest] queued',
      'values: values (1000) [ubuntu-latest] queued',
      'values: values (yes) [ubuntu-latest] queued',
      'values: values (off) [ubuntu-latest] queued',
      'values: values (true) [ubuntu-latest] queued',
      'values: values [ubuntu-latest] queued',
      'values: values [ubuntu-latest] queued',
      'values: values (3.10) [ubuntu-latest] queued',
      'values: values (2024-01-02) [ubuntu-latest] queued',
      'values: values (0.5) [ubuntu-latest] queued',
    ],
  },
  refs: {
    events: ['create', 'delete'],
    start: { event: 'create', payload: { ref: 'feature', ref_type: 'branch' } },
    jobs: ['branch: branch [ubuntu-latest] queued', 'tag: tag [ubuntu-latest] skipped'],
  },
  'release-assets': {
    events: push,
    start: tag,
    jobs: [
      'build: build (linux, amd64) [ubuntu-latest] queued',
      'build: build (linux, arm64) [ubuntu-latest] queued',
      'build: build (darwin, arm64) [ubuntu-latest] queued',
      'release: Release v1.2.0 [ubuntu-latest] after build waiting',
    ],
    ends: [
      'build: build (linux, amd64) [ubuntu-latest] success',
      'build: build (linux, arm64) [ubuntu-latest] success',
      'build: build (darwin, arm64) [ubuntu-latest] success',
      'release: Release v1.2.0 [ubuntu-latest] success',
    ],
  },
  ruby: {
    events: push,
    jobs: [
      'test: test (3.3) [ubuntu-latest] queued',
      'test: test (3.4) [ubuntu-latest] queued',
      'test: test (head) [ubuntu-latest] queued, may fail',
      'test: test (jruby-head) [ubuntu-latest] queued, may fail',
    ],
  },
  'runner-groups': {
    events: push,
    jobs: [
      'group: group [group ubuntu-runners] queued',
      'both: both [group org/big, linux, gpu] queued',
      'computed: computed [group main-runners, linux] queued',
      'labels: labels [linux-x64] queued',
    ],
  },
  'runner-variables': {
    events: push,
    jobs: [
      'list: list [self-hosted, linux] queued',
      'fallback: fallback [ubuntu-latest] queued',
      'mixed: mixed [self-hosted, eu-west-1] queued',
      'conditional: conditional [self-hosted, big] queued',
    ],
  },
  rust: {
    events: ['pull_request', 'push'],
    warnings: [absent(4, 3, 'pull_request')],
    jobs: [
      'fmt: Format [ubuntu-latest] queued',
      'clippy: Clippy (default) [ubuntu-latest] queued',
      'clippy: Clippy (--all-features) [ubuntu-latest] queued',
      'test: test (stable) [ubuntu-latest] after fmt, clippy waiting',
      'test: test (beta) [ubuntu-latest] after fmt, clippy waiting',
      'test: test (nightly) [ubuntu-latest] after fmt, clippy waiting, may fail',
    ],
  },
  'rust-cross': {
    events: push,
    start: tag,
    jobs: [
      'build: build (x86_64-unknown-linux-musl, ubuntu-latest, true) [ubuntu-latest] queued, all run',
      'build: build (aarch64-apple-darwin, macos-14, false) [macos-14] queued, all run',
      'build: build (x86_64-pc-windows-msvc, windows-latest) [windows-latest] queued, all run',
      'publish: publish [ubuntu-latest] after build waiting',
    ],
  },
  'self-hosted': {
    events: push,
    jobs: [
      'train: train (a100, small) [self-hosted, linux, x64, a100] queued',
      'train: train (h100, small) [self-hosted, linux, x64, h100] queued',
    ],
  },
  'semantic-release': {
    events: push,
    jobs: ['release: release [ubuntu-latest] queued, in group release'],
  },
  'service-commands': { events: push, jobs: ['test: test [ubuntu-latest] queued'] },
  shards: {
    events: push,
    jobs: [
      'e2e: Shard 1 of 4 [ubuntu-latest] queued, all run, at most 2',
      'e2e: Shard 2 of 4 [ubuntu-latest] queued, all run, at most 2',
      'e2e: Shard 3 of 4 [ubuntu-latest] waiting, all run, at most 2',
      'e2e: Shard 4 of 4 [ubuntu-latest] waiting, all run, at most 2',
      'merge: merge [ubuntu-latest] after e2e waiting',
    ],
    results: { e2e: { fails: true } },
    ends: [
      'e2e: Shard 1 of 4 [ubuntu-latest] failure, all run, at most 2',
      'e2e: Shard 2 of 4 [ubuntu-latest] failure, all run, at most 2',
      'e2e: Shard 3 of 4 [ubuntu-latest] failure, all run, at most 2',
      'e2e: Shard 4 of 4 [ubuntu-latest] failure, all run, at most 2',
      'merge: merge [ubuntu-latest] success',
    ],
  },
  'skipped-needs': {
    events: push,
    jobs: [
      'a: a [ubuntu-latest] skipped',
      'b: b [ubuntu-latest] after a skipped',
      'c: c [ubuntu-latest] after b queued',
      'd: d [ubuntu-latest] after a skipped',
      'e: e [ubuntu-latest] after a queued',
    ],
  },
  snapshot: {
    events: push,
    jobs: ['image: image [image-builder] queued'],
    warnings: ["line 7, column 7: The snapshot of job 'image' is not created."],
  },
  stale: { events: ['schedule', 'workflow_dispatch'], jobs: ['stale: stale [ubuntu-latest] queued'] },
  'step-conditions': { events: push, jobs: ['test: test [ubuntu-latest] queued'] },
  terraform: {
    events: push,
    jobs: ['terraform: terraform [ubuntu-latest] queued'],
    warnings: [environment(9, 18, 'terraform')],
  },
  timeouts: {
    events: push,
    jobs: [
      'default: default [ubuntu-latest] queued',
      'short: short [ubuntu-latest] queued',
      'computed: computed [ubuntu-latest] queued',
    ],
    warnings: ["line 6, column 22: Job 'default' ends after 3 hours, before its timeout of 360 minutes."],
  },
  tox: {
    events: push,
    jobs: [
      'tox: tox (3.11) [ubuntu-24.04] queued',
      'tox: tox (3.12) [ubuntu-24.04] queued',
      'tox: tox (3.9, 22.04) [ubuntu-22.04] queued',
    ],
  },
}
