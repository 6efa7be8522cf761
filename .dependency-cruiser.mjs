// Who may import whom, as ARCHITECTURE.md says under "Directions".

// Every other folder of server/ is a room, also one that was made today.
const layers = ['http', 'ssh', 'api', 'jobs', 'trpc', 'kernel', 'auth', 'commands']
const known = ['app', 'db', 'server', 'testing', 'e2e', 'bench', 'scripts', 'dist']

// Lower ones first: a feature of the pages uses those before it.
const features =
  'activity removals auth sessions settings keys deploy-keys tokens api-docs users blocks orgs teams labels repos code releases artifacts scopes actions secrets job-tokens hooks runners account notifications dashboard explore administration search'.split(
    ' ',
  )

const tests = '\\.test\\.tsx?$|/testing/|/contract/'
const notTest = { pathNot: tests }
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

/** The rules for a repository whose server/ and app/_features/ hold these folders. */
export function rulesFor(serverFolders, featureFolders) {
  const unplaced = featureFolders.find(feature => !features.includes(feature))
  if (unplaced) throw new Error(`app/_features/${unplaced} has no place in the order of features`)
  const rooms = `(${serverFolders.filter(folder => !layers.includes(folder)).join('|')})`
  const aboveRooms = 'server/(http/|ssh/|api/|jobs/|commands/|[^/]+\\.ts$)|app/'
  return [
    rule('no-import-circles', 'Modules never import each other in a circle.', {}, { circular: true }),
    rule(
      'product-imports-no-test-helpers',
      'What helps tests, measures or builds is no part of the product.',
      { path: '^(app|server|db)/', ...notTest },
      { path: '^(testing|e2e|bench|scripts)/|/testing/' },
    ),
    rule(
      'only-end-to-end-tests-import-e2e',
      'What tests of other layers use as well is in testing/.',
      { pathNot: '^e2e/' },
      { path: '^e2e/' },
    ),
    rule(
      'test-helpers-import-no-pages',
      'Helpers of tests stand above the server alone.',
      { path: '^(testing|bench)/', pathNot: '\\.test\\.ts$' },
      { path: '^(app|e2e|scripts)/' },
    ),
    rule(
      'scripts-import-no-product',
      'Scripts run as they are, before anything is compiled.',
      { path: '^scripts/', ...notTest },
      { path: '^(app|server|db|e2e|bench)/' },
    ),
    rule(
      'db-imports-nothing-above',
      'db uses db alone.',
      { path: '^db/', ...notTest },
      { path: '^(server|app)/' },
    ),
    rule(
      'kernel-imports-db-only',
      'The kernel stands on db alone.',
      { path: '^server/kernel/', ...notTest },
      { path: '^(server/(?!kernel/)|app/)' },
    ),
    rule(
      'auth-imports-kernel-only',
      'Who calls is established on the kernel alone, below the rules of access.',
      { path: '^server/auth/', ...notTest },
      { path: '^(server/(?!kernel/|auth/)|app/)' },
    ),
    rule(
      'only-launcher-starts-processes',
      'Node starts a process by copying its own page tables, so the launcher starts processes for the server, and the supervisor, which is small, the server processes.',
      {
        path: '^(app|server|db)/',
        pathNot: `^server/kernel/(launcher/|processes/(supervise|member|unaccepted)\\.ts$)|${tests}`,
      },
      { path: '^(node:)?(child_process|cluster)$' },
    ),
    rule(
      'launcher-program-knows-nothing',
      'The program of the launcher stays small and imports nothing else of the product.',
      { path: '^server/kernel/launcher/(program|messages|group)\\.ts$' },
      { path: '^(app|server|db)/|node_modules/', pathNot: '^server/kernel/launcher/(messages|group)\\.ts$' },
    ),
    rule(
      'supervisor-stays-small',
      'The supervisor loads nothing of the product but logging and fair shares.',
      {
        path: '^server/kernel/processes/(supervise|member|unaccepted|shared-limits|ended-counters|hangup|count)\\.ts$',
      },
      {
        path: '^(app|server|db)/|node_modules/',
        pathNot: '^server/kernel/(processes/|log\\.ts$|log-level\\.ts$|fair-limit\\.ts$)',
      },
    ),
    rule(
      'procedure-kit-imports-kernel-only',
      'The kit that routers are made with stands on the kernel and the credentials.',
      { path: '^server/trpc/', ...notTest },
      { path: '^(server/(?!kernel/|auth/|trpc/)|app/)' },
    ),
    rule(
      'access-and-events-import-no-room',
      'Who may do what is decided, and what happened is recorded, below the rooms.',
      { path: '^server/(access|events)/', ...notTest },
      { path: '^(server/(?!$1/|trpc/|kernel/|auth/)|app/)' },
    ),
    rule(
      'rooms-import-no-transport-or-job-runner',
      'Rooms reach up to no adapter, no job runner and no entry of the process.',
      { path: `^server/${rooms}/`, ...notTest },
      { path: `^(${aboveRooms})` },
    ),
    rule(
      'jobs-import-no-transport',
      'Background work knows no adapter.',
      { path: '^server/jobs/', ...notTest },
      { path: '^(server/(http|ssh|api|commands)/|server/(main|site)\\.ts$|app/)' },
    ),
    rule(
      'adapters-import-no-http-server-or-command',
      'An adapter answers calls and does not know who listens for them.',
      { path: '^server/api/', ...notTest },
      { path: '^server/((http|ssh|commands)/|(main|site)\\.ts$)' },
    ),
    rule(
      'listeners-import-no-command-or-other-listener',
      'The servers of HTTP and SSH are started by the process, and commands run without them.',
      { path: '^server/(http|ssh)/', ...notTest },
      { path: '^server/((http|ssh)/|commands/|(main|site)\\.ts$)', pathNot: '^server/$1/' },
    ),
    rule(
      'commands-and-services-import-no-transport-or-job-runner',
      'What commands and every transport stand on knows none of them.',
      { path: '^server/(commands/|services\\.ts$)', ...notTest },
      { path: '^server/((http|ssh|api|jobs)/|(main|site)\\.ts$)' },
    ),
    rule(
      'server-imports-no-pages',
      'No part of the server knows a page.',
      { path: '^server/', ...notTest },
      { path: '^app/' },
    ),
    rule(
      'only-routers-import-trpc',
      'Inside a room only router.ts touches procedures, so that jobs and RPC can call the verbs.',
      { path: `^server/${rooms}/`, pathNot: 'router\\.ts$|\\.test\\.ts$' },
      { path: '^server/(trpc/|scopes/router\\.ts$)' },
    ),
    rule(
      'rooms-import-rooms-through-index-or-schema',
      'A room uses another one through index.ts, its wire shapes through schema.ts; routers share what makes endpoints of scopes.',
      { path: '^server/([^/]+)/', pathNot: `^server/(${layers.join('|')})/|\\.test\\.ts$` },
      {
        path: `^server/${rooms}/`,
        pathNot:
          '^server/$1/|/index\\.ts$|/schema\\.ts$|^server/scopes/router\\.ts$|^server/access/(access-mode|units|allowed)\\.ts$',
      },
    ),
    rule(
      'only-loaders-say-who-is-allowed',
      'What loads something and checks the caller vouches that they are allowed; everything else takes the type alone.',
      { path: '^(app|server)/', pathNot: '^server/.+/(load|policy)\\.ts$|\\.test\\.ts$' },
      { path: '^server/access/allowed\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'schemas-import-browser-safe-parts-only',
      'A schema reaches nothing that only a server has.',
      { path: '/schema\\.ts$' },
      {
        path: '^(db|server)/',
        pathNot: `${schemaParts}|^server/kernel/(wire|pagination|form-edit|last-run)\\.ts$`,
      },
    ),
    rule(
      'app-imports-types-and-schemas-only',
      'Pages take types, schemas and browser-safe parts; only route files and the page caller reach the handlers.',
      { path: '^app/', pathNot: '/route\\.ts$|^app/_lib/server\\.ts$|\\.test\\.tsx?$' },
      {
        path: '^(server|db)/',
        pathNot: `${schemaParts}|^server/(keys/ssh/private-key|auth/page-viewer|kernel/errors|teams/permissions/access)\\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'app-fetches-schemas-when-needed',
      'A form loads its schema when someone starts typing. A static import would add zod to every page.',
      { path: '^app/', pathNot: '/(form-schemas|new-token)\\.ts$|\\.test\\.tsx?$' },
      { path: '/schema\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'app-lib-and-components-import-no-feature',
      'What all features share knows none of them.',
      { path: '^app/(_lib|_components)/', ...notTest },
      { path: '^app/(?!_lib/|_components/)' },
    ),
    rule(
      'app-lib-imports-no-component',
      'Helpers of pages draw nothing.',
      { path: '^app/_lib/', ...notTest },
      { path: '^app/_components/' },
    ),
    rule(
      'app-features-import-no-route',
      'Routes put features together, never the other way.',
      { path: '^app/_features/' },
      { path: '^app/(?!_lib/|_components/|_features/)' },
    ),
    ...features
      .slice(0, -1)
      .map((feature, index) =>
        rule(
          'app-features-in-order',
          'A feature uses the ones before it in the order at the top of this file.',
          { path: `^app/_features/${feature}/` },
          { path: `^app/_features/(${features.slice(index + 1).join('|')})/` },
        ),
      ),
    rule(
      'only-remote-procedures-import-their-messages',
      'Rooms do not know the messages that remote procedures are called with.',
      { path: '^(?!proto/)', pathNot: `^server/api/(artifact|runner)-rpc/|^testing/|${tests}` },
      { path: '^proto/' },
    ),
    rule(
      'only-adapters-import-new-folders',
      'A folder beside server/ that these rules do not know, such as generated code, is for the adapters.',
      { path: `^(${known.join('|')})/`, pathNot: `^(server/api|testing)/|${tests}` },
      { path: `^(?!(${known.join('|')})/)[^/]+/`, dependencyTypes: ['local'] },
    ),
  ]
}

// What schemas and pages may both use of the server and the tables.
const schemaParts =
  '/schema\\.ts$|^server/kernel/(password-length|scopes)\\.ts$|^db/tables/end-reasons\\.ts$|^server/access/(access-mode|units)\\.ts$|^server/(repos|users)/name\\.ts$|^server/repos/topics/names\\.ts$|^server/hooks/(address|branch-filter|event-names|max-counted|secret|trace)\\.ts$|^server/runners/label-text\\.ts$'

export default {
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)node_modules/|^(\\.next|dist|data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
