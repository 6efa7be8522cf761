import { readdirSync } from 'node:fs'

// The house rules of ARCHITECTURE.md, "Directions": who may use whom.
const rooms = '(access|keys|users|tokens|sessions|blocks|instance|orgs|repos|teams|departures|activity)'
const notTest = { pathNot: '\\.test\\.tsx?$|/testing/|/contract/' }
const rule = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

// Lower ones first: a feature of the pages uses those before it.
const features =
  'activity departures auth sessions settings keys tokens api-docs users blocks orgs teams repos account dashboard'.split(
    ' ',
  )
const unordered = readdirSync(new URL('app/_features', import.meta.url)).filter(
  name => !features.includes(name),
)
if (unordered.length > 0)
  throw new Error(`app/_features/${unordered[0]} has no place in the order of features`)

export default {
  forbidden: [
    rule('no-circles', 'Modules never go in a circle.', {}, { circular: true }),
    rule(
      'db-is-the-ground',
      'db uses nothing above it.',
      { path: '^db/' },
      { path: '^(server|app|proto|e2e|scripts)/' },
    ),
    rule(
      'kernel-knows-no-room',
      'The kernel stands on db alone.',
      { path: '^server/kernel/', ...notTest },
      { path: '^(server/(?!kernel/)|app/|proto/)' },
    ),
    rule(
      'kit-knows-no-room',
      'The procedure kit stands on the kernel.',
      { path: '^server/trpc/', ...notTest },
      { path: '^(server/(?!kernel/|trpc/)|app/|proto/)' },
    ),
    rule(
      'rooms-know-no-transport',
      'Rooms never reach up to reception or the street.',
      { path: `^server/${rooms}/`, ...notTest },
      { path: '^(server/(api|http|jobs)/|server/(main|services)|app/|proto/)' },
    ),
    rule(
      'only-routers-know-trpc',
      'Inside a room only router.ts touches procedures, so that jobs and RPC can call the verbs.',
      { path: `^server/${rooms}/`, pathNot: 'router\\.ts$|\\.test\\.ts$' },
      { path: '^server/trpc/' },
    ),
    rule(
      'rooms-meet-at-the-door',
      'A room uses another one through index.ts, its wire shapes through schema.ts.',
      { path: '^server/([^/]+)/', pathNot: '^server/(api|http|kernel|trpc|commands)/|\\.test\\.ts$' },
      {
        path: `^server/${rooms}/`,
        pathNot: '^server/$1/|/index\\.ts$|/schema\\.ts$|^server/access/(access-mode|units)\\.ts$',
      },
    ),
    rule(
      'schemas-are-for-browsers',
      'A schema reaches nothing that only a server has.',
      { path: '/schema\\.ts$' },
      {
        path: '^(db/|server/)',
        pathNot:
          '/schema\\.ts$|^server/kernel/(wire|pagination|form-edit)\\.ts$|^server/kernel/auth/(password-length|scopes)\\.ts$|^server/access/(access-mode|units)\\.ts$|^server/repos/name\\.ts$',
      },
    ),
    rule(
      'the-street-stays-thin',
      'Pages take types, schemas and browser-safe parts; only route files and the page caller reach reception.',
      { path: '^app/', pathNot: '/route\\.ts$|^app/_lib/server\\.ts$' },
      {
        path: '^(server|db|proto)/',
        pathNot:
          '/schema\\.ts$|^server/keys/ssh/private-key\\.ts$|^server/kernel/auth/(page-viewer|password-length|scopes)\\.ts$|^server/kernel/errors\\.ts$|^server/access/(access-mode|units)\\.ts$|^server/teams/units\\.ts$|^server/(repos|users)/name\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'schemas-come-when-needed',
      'A form fetches its schema once somebody types: imported at once, zod would be sent with every page.',
      { path: '^app/', pathNot: '/(general-values|new-repository|new-token)\\.ts$|\\.test\\.tsx?$' },
      { path: '/schema\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'app-lib-and-components-below-features',
      'What all features share knows none of them; _lib knows no component.',
      { path: '^app/(_lib|_components)/', ...notTest },
      { path: '^app/(?!_lib/|_components/)' },
    ),
    rule(
      'app-lib-below-components',
      'Helpers of pages draw nothing.',
      { path: '^app/_lib/', ...notTest },
      { path: '^app/_components/' },
    ),
    rule(
      'app-features-below-routes',
      'Routes put features together, never the other way.',
      { path: '^app/_features/' },
      { path: '^app/(?!_lib/|_components/|_features/)' },
    ),
    ...features
      .slice(0, -1)
      .map((feature, place) =>
        rule(
          'app-features-in-order',
          'A feature uses the ones before it in the order at the top of this file.',
          { path: `^app/_features/${feature}/` },
          { path: `^app/_features/(${features.slice(place + 1).join('|')})/` },
        ),
      ),
    rule(
      'proto-is-for-rpc',
      'Only the two RPC adapters know protobuf.',
      { pathNot: '^(proto/|server/api/(artifact|runner)-rpc/)' },
      { path: '^proto/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(node_modules|\\.next|dist|data)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.mjs', '.js'] },
  },
}
