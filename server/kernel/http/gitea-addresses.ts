// Where people and tools that come from Gitea look for pages. Their first words can be nobody's name.
const addresses: [source: string, destination: string][] = [
  ['/login', '/-/sign-in'],
  ['/user/login', '/-/sign-in'],
  ['/user/logout', '/-/sign-out'],
  ['/user/forgot_password', '/-/sign-in'],
  ['/user/sign_up', '/-/register'],
  ['/user/change_password', '/user/settings/password'],
  ['/user/settings/account', '/user/settings/password'],
  ['/user/settings/security', '/user/settings/password'],
  ['/user/settings/ssh-gpg', '/user/settings/keys'],
  ['/user/settings/appearance', '/user/settings/profile'],
  ['/user/settings/applications', '/user/settings/tokens'],
  ['/user/settings/organization', '/-/orgs'],
  ['/user/settings/repos', '/'],
  ['/user/settings/blocked_users', '/user/settings/blocked'],
  ['/repo/create', '/-/new'],
  ['/org/create', '/-/orgs/new'],
  ['/org/:org/members', '/-/orgs/:org/people'],
  ['/org/:org/teams/:path*', '/-/orgs/:org/teams/:path*'],
  ['/org/:org/settings', '/-/orgs/:org/settings'],
  ['/org/:org/settings/blocked_users', '/-/orgs/:org/settings/blocked'],
  ['/org/:org/settings/hooks/:type/new', '/-/orgs/:org/settings/hooks/new?type=:type'],
  ['/org/:org/settings/hooks/:id*', '/-/orgs/:org/settings/hooks/:id*'],
  ['/user/settings/hooks/:type/new', '/user/settings/hooks/new?type=:type'],
  ['/-/admin/system-hooks', '/-/admin/hooks'],
  ['/-/admin/default-hooks', '/-/admin/hooks'],
  ['/-/admin/system-hooks/:type/new', '/-/admin/hooks/new?type=:type'],
  ['/-/admin/default-hooks/:type/new', '/-/admin/hooks/new?type=:type&for=new'],
  ['/-/admin/:kind(system|default)-hooks/:id', '/-/admin/hooks/:id'],
  ['/org/:org', '/:org'],
  ['/org/:org/dashboard', '/:org'],
  ['/explore/:kind(repos|users|organizations|code)', '/explore'],
  ['/api/swagger', '/api/docs'],
  ['/swagger.v1.json', '/api/v1/openapi.json'],
  ['/openapi3.v1.json', '/api/v1/openapi.json'],
  ['/-/admin', '/-/admin/users'],
]

// `:name` is a segment, `:name*` everything that follows, and `:name(a|b)` one of these words.
const patterns = addresses.map(([source, destination]) => {
  const pattern = source
    .replaceAll('.', '\\.')
    .replace(/\/:(\w+)\*/, '(?:/(?<$1>.*))?')
    .replace(/:(\w+)\((.*?)\)/, '(?<$1>$2)')
    .replace(/:(\w+)/g, '(?<$1>[^/]+)')
  return { pattern: new RegExp(`^${pattern}$`, 'i'), destination }
})

/**
 * Returns the path, with a query, of the page that has another address in Gitea. Returns undefined for all other
 * addresses. The path is spelled as sent.
 */
export function ownAddress(path: string, query: URLSearchParams): string | undefined {
  for (const { pattern, destination } of patterns) {
    const found = pattern.exec(path)
    if (found) return withQuery(fill(destination, found.groups ?? {}), query)
  }
  return undefined
}

const fill = (destination: string, names: Record<string, string | undefined>): string =>
  destination
    .replace(/\/:(\w+)\*/, (_, name: string) => (names[name] ? `/${names[name]}` : ''))
    .replace(/:(\w+)/g, (_, name: string) => names[name] ?? '')

function withQuery(destination: string, query: URLSearchParams): string {
  const [path = '', own] = destination.split('?')
  const all = new URLSearchParams(own)
  for (const [name, value] of query) {
    const isNext = path === '/-/sign-in' && name === 'redirect_to'
    all.append(isNext ? 'next' : name, value)
  }
  return all.size > 0 ? `${path}?${all}` : path
}
