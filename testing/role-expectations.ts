import { newKey } from './keys'
import type { World } from './role-world'

export interface Expectation {
  /**
   * The expected statuses for anonymous, outsider, member, team member, owner and site admin, in this order.
   */
  statuses: string
  /**
   * The expected statuses for a request with an invalid body, if validation comes before the check for a
   * missing object.
   */
  refused?: string
  /** The query string, including the question mark. */
  query?: string
  body?: (world: World) => object
  /** Values of path parameters that replace those of the world. */
  values?: (world: World) => Record<string, string | number>
}

const everybody = (status: number): string => Array(6).fill(status).join(' ')
const signedIn = (status: number): string => `401 ${Array(5).fill(status).join(' ')}`
const siteAdmin = (status: number): string => `401 403 403 403 403 ${status}`
const orgMembers = (status: number): string => `401 403 ${status} ${status} ${status} ${status}`
const orgOwners = (status: number): string => `401 403 403 403 ${status} ${status}`
const teamReaders = (status: number): string => `401 404 403 ${status} ${status} ${status}`
const teamOwners = (status: number): string => `401 404 403 403 ${status} ${status}`
const repoReaders = (status: number): string => `404 404 404 ${status} ${status} ${status}`
// A team with write access to releases and actions has the repository.
const releaseWriters = repoReaders
const actionWriters = repoReaders
const repoAdmins = (status: number): string => `404 404 404 403 ${status} ${status}`

const aboutStranger = ({ stranger }: World) => ({ username: stranger.name })
const fresh = (world: World, ending: string): string => `${world.values.org}-${ending}`

const newHook = { type: 'gitea', config: { url: 'https://ci.example.test/', content_type: 'json' } }

const hooksOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => ({
  [`GET ${at}`]: { statuses: statuses(200) },
  [`POST ${at}`]: { statuses: statuses(201), body: () => newHook },
  [`GET ${at}/events`]: { statuses: statuses(200) },
  [`GET ${at}/events/{event_id}`]: { statuses: statuses(200) },
  ...hookOf(`${at}/{id}`, statuses),
})

const hookOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => {
  const values = (world: World) => ({ delivery_id: world.values[`delivery of ${at}`] ?? 0 })
  return {
    [`GET ${at}`]: { statuses: statuses(200) },
    [`PATCH ${at}`]: { statuses: statuses(200), body: () => ({ active: false }) },
    [`DELETE ${at}`]: { statuses: statuses(204) },
    [`GET ${at}/deliveries`]: { statuses: statuses(200) },
    [`GET ${at}/deliveries/{delivery_id}`]: { statuses: statuses(200), values },
    [`POST ${at}/deliveries/{delivery_id}/attempts`]: { statuses: statuses(202), values },
    [`POST ${at}/replay`]: { statuses: statuses(202), body: () => ({ since: '2026-01-01T00:00:00Z' }) },
    [`POST ${at}/pings`]: { statuses: statuses(204) },
    [`POST ${at}/tests`]: { statuses: statuses(204) },
    [`POST ${at}/dry-run`]: {
      statuses: statuses(200),
      body: ({ values }) => ({ event_id: values.event_id }),
    },
  }
}

const permissionsOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => ({
  [`GET ${at}/permissions/workflow`]: { statuses: statuses(200) },
  [`PUT ${at}/permissions/workflow`]: {
    statuses: statuses(204),
    body: () => ({ default_workflow_permissions: 'read', max_permissions: { contents: 'write' } }),
  },
})

const secretsOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => ({
  [`GET ${at}/secrets`]: { statuses: statuses(200) },
  [`PUT ${at}/secrets/{secretname}`]: { statuses: statuses(204), body: () => ({ data: 'x' }) },
  [`DELETE ${at}/secrets/{secretname}`]: { statuses: statuses(204) },
})

const variablesOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => {
  const one = `${at}/variables/{variablename}`
  const body = () => ({ value: 'x' })
  return {
    [`GET ${at}/variables`]: { statuses: statuses(200) },
    [`GET ${one}`]: { statuses: statuses(200) },
    [`POST ${one}`]: { statuses: statuses(201), body, values: () => ({ variablename: 'ANOTHER' }) },
    [`PUT ${one}`]: { statuses: statuses(204), body },
    [`DELETE ${one}`]: { statuses: statuses(204) },
  }
}

const runnersOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => ({
  [`GET ${at}`]: { statuses: statuses(200) },
  [`GET ${at}/jobs`]: { statuses: statuses(200) },
  [`GET ${at}/demand`]: { statuses: statuses(200) },
  [`GET ${at}/registration-token`]: { statuses: statuses(200) },
  [`POST ${at}/registration-token`]: { statuses: statuses(200) },
  [`POST ${at}/registration-token/reset`]: { statuses: statuses(200) },
  ...runnerOf(`${at}/{runner_id}`, statuses),
})

const runnerOf = (at: string, statuses: (status: number) => string): Record<string, Expectation> => {
  const values = (world: World) => ({ runner_id: world.values[`runner of ${at}`] ?? 0 })
  return {
    [`GET ${at}`]: { statuses: statuses(200), values },
    [`GET ${at}/jobs`]: { statuses: statuses(200), values },
    [`PATCH ${at}`]: { statuses: statuses(200), values, body: () => ({ disabled: true }) },
    [`DELETE ${at}`]: { statuses: statuses(204), values },
  }
}

const labelsOf = (
  at: string,
  read: string,
  statuses: (status: number) => string,
): Record<string, Expectation> => ({
  [`GET ${at}`]: { statuses: read },
  [`POST ${at}`]: { statuses: statuses(201), body: () => ({ name: 'x', color: '0ab' }) },
  [`GET ${at}/{id}`]: { statuses: read },
  [`PATCH ${at}/{id}`]: { statuses: statuses(200), body: () => ({ name: 'y' }) },
  [`DELETE ${at}/{id}`]: { statuses: statuses(204) },
})

/**
 * The status that every endpoint of the API returns for each role. The test fails for an endpoint that is
 * missing here.
 */
export const expectations: Record<string, Expectation> = {
  'GET /version': { statuses: everybody(200) },
  'GET /settings/api': { statuses: everybody(200) },
  'GET /settings/ui': { statuses: everybody(200) },
  'GET /settings/attachment': { statuses: everybody(200) },
  'GET /settings/repository': { statuses: everybody(200) },
  'GET /licenses': { statuses: everybody(200) },
  'GET /licenses/{name}': { statuses: everybody(200), values: () => ({ name: 'MIT' }) },
  'GET /gitignore/templates': { statuses: everybody(200) },
  'GET /gitignore/templates/{name}': { statuses: everybody(200), values: () => ({ name: 'Go' }) },
  'GET /label/templates': { statuses: everybody(200) },
  'GET /label/templates/{name}': { statuses: everybody(200), values: () => ({ name: 'Default' }) },

  'GET /user': { statuses: signedIn(200) },
  'GET /user/emails': { statuses: signedIn(200) },
  'GET /user/settings': { statuses: signedIn(200) },
  'PATCH /user/settings': { statuses: signedIn(200), body: () => ({ full_name: 'X' }) },
  'GET /users/search': { statuses: everybody(200) },
  'GET /users/{username}': { statuses: everybody(200) },
  'GET /users/{username}/activities/feeds': { statuses: everybody(200) },

  'GET /user/keys': { statuses: signedIn(200) },
  'POST /user/keys': { statuses: signedIn(201), body: () => ({ title: 'x', key: newKey().text }) },
  'GET /user/keys/{id}': { statuses: signedIn(200) },
  'DELETE /user/keys/{id}': { statuses: siteAdmin(204) },
  'GET /users/{username}/keys': { statuses: signedIn(200) },

  // Access tokens can be managed only with a password, but these callers use tokens.
  'GET /users/{username}/tokens': { statuses: everybody(401) },
  'POST /users/{username}/tokens': {
    statuses: everybody(401),
    body: () => ({ name: 'x', scopes: ['all'] }),
  },
  'DELETE /users/{username}/tokens/{token}': { statuses: everybody(401) },

  'GET /user/blocks': { statuses: signedIn(200) },
  'GET /user/blocks/{username}': { statuses: signedIn(404) },
  'PUT /user/blocks/{username}': { statuses: signedIn(204), values: aboutStranger },
  'DELETE /user/blocks/{username}': { statuses: signedIn(400), values: aboutStranger },

  'GET /admin/users': { statuses: siteAdmin(200) },
  'POST /admin/users': {
    statuses: siteAdmin(201),
    body: world => ({
      username: fresh(world, 'new'),
      email: `${fresh(world, 'new')}@example.test`,
      password: 'a long enough password',
    }),
  },
  'PATCH /admin/users/{username}': { statuses: siteAdmin(200), body: () => ({ full_name: 'X' }) },
  'DELETE /admin/users/{username}': { statuses: siteAdmin(204), values: aboutStranger },
  'POST /admin/users/{username}/keys': {
    statuses: siteAdmin(201),
    body: () => ({ title: 'x', key: newKey().text }),
  },
  'DELETE /admin/users/{username}/keys/{id}': { statuses: siteAdmin(204) },
  'POST /admin/users/{username}/rename': {
    statuses: siteAdmin(204),
    values: aboutStranger,
    body: world => ({ new_username: fresh(world, 'person') }),
  },
  'POST /admin/users/{username}/revoke': { statuses: siteAdmin(200), values: aboutStranger },
  'POST /admin/users/{owner}/orgs': {
    statuses: siteAdmin(201),
    values: ({ colleague }) => ({ owner: colleague.name }),
    body: world => ({ username: fresh(world, 'two') }),
  },
  'POST /admin/users/{username}/repos': { statuses: siteAdmin(201), body: () => ({ name: 'new' }) },
  'GET /admin/orgs': { statuses: siteAdmin(200) },

  'GET /orgs': { statuses: everybody(200) },
  'POST /orgs': { statuses: signedIn(201), body: world => ({ username: fresh(world, 'two') }) },
  'GET /user/orgs': { statuses: signedIn(200) },
  'GET /users/{username}/orgs': { statuses: signedIn(200) },
  'GET /users/{username}/orgs/{org}/permissions': { statuses: signedIn(200) },
  'GET /orgs/{org}': { statuses: everybody(200) },
  'PATCH /orgs/{org}': { statuses: orgOwners(200), body: () => ({ description: 'X' }) },
  'POST /orgs/{org}/rename': { statuses: orgOwners(204), body: world => ({ new_name: fresh(world, 'two') }) },
  'DELETE /orgs/{org}': { statuses: orgOwners(422) },
  'GET /orgs/{org}/members': { statuses: signedIn(200) },
  'GET /orgs/{org}/members/{username}': { statuses: signedIn(204) },
  'DELETE /orgs/{org}/members/{username}': { statuses: orgOwners(204) },
  'GET /orgs/{org}/public_members': { statuses: everybody(200) },
  'GET /orgs/{org}/public_members/{username}': { statuses: everybody(204) },
  'PUT /orgs/{org}/public_members/{username}': { statuses: orgOwners(204) },
  'DELETE /orgs/{org}/public_members/{username}': { statuses: orgOwners(204) },
  'GET /orgs/{org}/blocks': { statuses: orgOwners(200) },
  'GET /orgs/{org}/blocks/{username}': { statuses: orgOwners(404), values: aboutStranger },
  'PUT /orgs/{org}/blocks/{username}': { statuses: orgOwners(204), values: aboutStranger },
  'DELETE /orgs/{org}/blocks/{username}': { statuses: orgOwners(400), values: aboutStranger },
  'GET /orgs/{org}/activities/feeds': { statuses: everybody(200) },

  'GET /orgs/{org}/teams': { statuses: orgMembers(200) },
  'GET /orgs/{org}/teams/search': { statuses: orgMembers(200) },
  'POST /orgs/{org}/teams': {
    statuses: orgOwners(201),
    body: () => ({ name: 'new-one', permission: 'read', units: ['repo.code'] }),
  },
  'GET /user/teams': { statuses: signedIn(200) },
  'GET /teams/{id}': { statuses: teamReaders(200) },
  'PATCH /teams/{id}': { statuses: teamOwners(200), body: () => ({ description: 'X' }) },
  'DELETE /teams/{id}': { statuses: teamOwners(204) },
  'GET /teams/{id}/members': { statuses: '401 404 200 200 200 200' },
  'GET /teams/{id}/members/{username}': { statuses: '401 404 200 200 200 200' },
  'PUT /teams/{id}/members/{username}': { statuses: teamOwners(204), values: aboutStranger },
  'DELETE /teams/{id}/members/{username}': { statuses: teamOwners(204) },
  'GET /teams/{id}/repos': { statuses: teamReaders(200) },
  'GET /teams/{id}/repos/{org}/{repo}': { statuses: teamReaders(200) },
  'PUT /teams/{id}/repos/{org}/{repo}': { statuses: teamOwners(204) },
  'DELETE /teams/{id}/repos/{org}/{repo}': { statuses: teamOwners(204) },
  'GET /teams/{id}/activities/feeds': { statuses: teamReaders(200) },

  'GET /user/repos': { statuses: signedIn(200) },
  'POST /user/repos': { statuses: signedIn(201), body: () => ({ name: 'new' }) },
  'GET /users/{username}/repos': { statuses: everybody(200) },
  'GET /orgs/{org}/repos': { statuses: everybody(200) },
  'POST /orgs/{org}/repos': { statuses: orgOwners(201), body: () => ({ name: 'new' }) },
  'POST /org/{org}/repos': { statuses: orgOwners(201), body: () => ({ name: 'new' }) },
  'GET /repos/search': { statuses: everybody(200) },
  'GET /repositories/{id}': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}': { statuses: repoReaders(200) },
  'PATCH /repos/{owner}/{repo}': { statuses: repoAdmins(200), body: () => ({ description: 'X' }) },
  'DELETE /repos/{owner}/{repo}': { statuses: repoAdmins(204) },
  'POST /repos/{owner}/{repo}/transfer': {
    // An organization owner who does not own the recipient's account can only offer the repository, while a
    // site administrator transfers it immediately.
    statuses: '404 404 404 403 201 202',
    body: ({ stranger }) => ({ new_owner: stranger.name }),
  },
  'POST /repos/{owner}/{repo}/transfer/accept': { statuses: repoReaders(404) },
  'POST /repos/{owner}/{repo}/transfer/reject': { statuses: repoReaders(404) },
  'GET /repos/{owner}/{repo}/branches': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/archive/{archive}': {
    statuses: everybody(404),
    values: () => ({ archive: 'main.zip' }),
  },
  'GET /repos/{owner}/{repo}/tarball/{ref}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/zipball/{ref}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/bundle/{ref}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/branches/{branch}': { statuses: everybody(404) },
  // The repository is empty.
  'GET /repos/{owner}/{repo}/contents': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/contents/{path}': { statuses: everybody(404) },
  'POST /repos/{owner}/{repo}/contents': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ files: [{ operation: 'delete', path: 'a', sha: 'a' }] }),
  },
  'POST /repos/{owner}/{repo}/contents/{path}': {
    statuses: repoReaders(422),
    refused: repoReaders(422),
    body: () => ({ content: 'not Base64' }),
  },
  'PUT /repos/{owner}/{repo}/contents/{path}': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ content: '', sha: 'a' }),
  },
  'DELETE /repos/{owner}/{repo}/contents/{path}': {
    statuses: everybody(404),
    refused: repoReaders(422),
  },
  'GET /repos/{owner}/{repo}/raw/{path}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/media/{path}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/git/trees/{sha}': { statuses: repoReaders(400) },
  'GET /repos/{owner}/{repo}/git/blobs/{sha}': { statuses: repoReaders(400) },
  'GET /repos/{owner}/{repo}/git/tags/{sha}': { statuses: repoReaders(400) },
  'GET /repos/{owner}/{repo}/git/refs': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/git/refs/{ref}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/git/commits/{sha}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/git/commits/{sha}.{diffType}': {
    statuses: everybody(404),
    values: () => ({ sha: 'main', diffType: 'diff' }),
  },
  'GET /repos/{owner}/{repo}/commits': { statuses: repoReaders(409) },
  'GET /repos/{owner}/{repo}/commits/{sha}/pull': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/commits/{ref}/status': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/commits/{ref}/statuses': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/statuses/{sha}': { statuses: everybody(404) },
  // The repository is empty.
  'POST /repos/{owner}/{repo}/statuses/{sha}': {
    statuses: everybody(404),
    body: () => ({ state: 'success' }),
  },
  'GET /repos/{owner}/{repo}/compare/{basehead}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/licenses': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/languages': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/topics': { statuses: repoReaders(200) },
  'PUT /repos/{owner}/{repo}/topics': { statuses: repoAdmins(204), body: () => ({ topics: ['x'] }) },
  'PUT /repos/{owner}/{repo}/topics/{topic}': {
    statuses: repoAdmins(204),
    values: () => ({ topic: 'x' }),
  },
  'DELETE /repos/{owner}/{repo}/topics/{topic}': {
    statuses: repoAdmins(404),
    values: () => ({ topic: 'x' }),
  },
  'GET /topics/search': { statuses: everybody(200) },
  // The team can write neither issues nor pull requests.
  ...labelsOf('/repos/{owner}/{repo}/labels', repoReaders(200), repoAdmins),
  ...labelsOf('/orgs/{org}/labels', everybody(200), orgOwners),
  'GET /orgs/{org}/labels/{id}': { statuses: signedIn(200) },
  'GET /repos/{owner}/{repo}/pulls': { statuses: repoReaders(200) },
  'POST /repos/{owner}/{repo}/branches': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ new_branch_name: 'x' }),
  },
  'POST /repos/{owner}/{repo}/tags': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ tag_name: 'x' }),
  },
  // No branch or tag has the requested name.
  'PATCH /repos/{owner}/{repo}/branches/{branch}': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ name: 'x' }),
  },
  'PUT /repos/{owner}/{repo}/branches/{branch}': {
    statuses: everybody(404),
    refused: repoReaders(422),
    body: () => ({ new_commit_id: 'a'.repeat(40) }),
  },
  'DELETE /repos/{owner}/{repo}/branches/{branch}': { statuses: everybody(404) },
  'DELETE /repos/{owner}/{repo}/tags/{tag}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/tags': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/tags/{tag}': { statuses: everybody(404) },
  'GET /repos/{owner}/{repo}/activities/feeds': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/keys': { statuses: repoAdmins(200) },
  'GET /repos/{owner}/{repo}/keys/{id}': { statuses: repoAdmins(200) },
  'POST /repos/{owner}/{repo}/keys': {
    statuses: repoAdmins(201),
    body: () => ({ title: 'x', key: newKey().text }),
  },
  'DELETE /repos/{owner}/{repo}/keys/{id}': { statuses: repoAdmins(204) },
  'GET /repos/{owner}/{repo}/collaborators': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/collaborators/{collaborator}': { statuses: everybody(404) },
  'PUT /repos/{owner}/{repo}/collaborators/{collaborator}': { statuses: repoAdmins(204) },
  'DELETE /repos/{owner}/{repo}/collaborators/{collaborator}': { statuses: repoAdmins(204) },
  'GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission': { statuses: repoAdmins(200) },
  ...hooksOf('/orgs/{org}/hooks', orgOwners),
  ...hooksOf('/repos/{owner}/{repo}/hooks', repoAdmins),
  ...hooksOf('/admin/hooks', siteAdmin),
  ...hooksOf('/user/hooks', signedIn),
  'POST /repos/{owner}/{repo}/hooks/{id}/tests': { statuses: repoAdmins(404) },
  // The webhook belongs to a colleague, who is none of these callers, and the event belongs to the
  // organization.
  ...hookOf('/user/hooks/{id}', () => signedIn(404)),
  'GET /user/hooks/events/{event_id}': { statuses: signedIn(404) },

  'GET /repos/{owner}/{repo}/actions/jobs': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/workflows': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}': { statuses: repoReaders(404) },
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs': { statuses: repoReaders(200) },
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable': { statuses: actionWriters(404) },
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable': { statuses: actionWriters(404) },
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches': {
    statuses: actionWriters(404),
    refused: actionWriters(422),
    body: () => ({ ref: 'main' }),
  },
  'POST /repos/{owner}/{repo}/dispatches': {
    statuses: actionWriters(204),
    body: () => ({ event_type: 'build' }),
  },
  // The run is still in progress.
  'POST /repos/{owner}/{repo}/actions/runs/{run}/cancel': { statuses: actionWriters(204) },
  'POST /repos/{owner}/{repo}/actions/runs/{run}/rerun': { statuses: actionWriters(409) },
  'POST /repos/{owner}/{repo}/actions/runs/{run}/rerun-failed-jobs': { statuses: actionWriters(409) },
  'POST /repos/{owner}/{repo}/actions/runs/{run}/jobs/{job_id}/rerun': { statuses: actionWriters(409) },
  'DELETE /repos/{owner}/{repo}/actions/runs/{run}': { statuses: actionWriters(400) },
  'GET /orgs/{org}/actions/runs': { statuses: orgOwners(200) },
  'GET /orgs/{org}/actions/jobs': { statuses: orgOwners(200) },
  'GET /user/actions/runs': { statuses: signedIn(200) },
  'GET /user/actions/jobs': { statuses: signedIn(200) },
  'GET /admin/actions/runs': { statuses: siteAdmin(200) },
  'GET /admin/actions/jobs': { statuses: siteAdmin(200) },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/waiting': { statuses: repoReaders(200) },
  ...runnersOf('/orgs/{org}/actions/runners', orgOwners),
  ...runnersOf('/repos/{owner}/{repo}/actions/runners', repoAdmins),
  ...runnersOf('/admin/actions/runners', siteAdmin),
  ...runnersOf('/user/actions/runners', signedIn),
  // The runner belongs to a colleague, who is none of these callers.
  ...runnerOf('/user/actions/runners/{runner_id}', () => signedIn(404)),
  'GET /admin/runners/registration-token': { statuses: siteAdmin(200) },

  ...permissionsOf('/orgs/{org}/actions', orgOwners),
  ...permissionsOf('/repos/{owner}/{repo}/actions', repoAdmins),
  ...permissionsOf('/admin/actions', siteAdmin),
  ...permissionsOf('/user/actions', signedIn),
  'GET /repos/{owner}/{repo}/actions/permissions/access': { statuses: repoAdmins(200) },
  'PUT /repos/{owner}/{repo}/actions/permissions/access': {
    statuses: repoAdmins(204),
    body: () => ({ access_level: 'user' }),
  },
  ...secretsOf('/orgs/{org}/actions', orgOwners),
  ...secretsOf('/repos/{owner}/{repo}/actions', repoAdmins),
  ...secretsOf('/user/actions', signedIn),
  ...variablesOf('/orgs/{org}/actions', orgOwners),
  ...variablesOf('/repos/{owner}/{repo}/actions', repoAdmins),
  ...variablesOf('/admin/actions', siteAdmin),
  ...variablesOf('/user/actions', signedIn),
  // None of these callers has secrets or variables of their own.
  'PUT /user/actions/secrets/{secretname}': { statuses: signedIn(201), body: () => ({ data: 'x' }) },
  'DELETE /user/actions/secrets/{secretname}': { statuses: signedIn(404) },
  'GET /user/actions/variables/{variablename}': { statuses: signedIn(404) },
  'PUT /user/actions/variables/{variablename}': { statuses: signedIn(404) },
  'DELETE /user/actions/variables/{variablename}': { statuses: signedIn(404) },

  'GET /repos/{owner}/{repo}/releases': { statuses: repoReaders(200) },
  // The repository is empty.
  'POST /repos/{owner}/{repo}/releases': {
    statuses: releaseWriters(422),
    body: () => ({ tag_name: 'v2', draft: true }),
  },
  'GET /repos/{owner}/{repo}/releases/latest': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/releases/tags/{tag}': { statuses: repoReaders(200) },
  'DELETE /repos/{owner}/{repo}/releases/tags/{tag}': { statuses: releaseWriters(204) },
  'GET /repos/{owner}/{repo}/releases/{id}': { statuses: repoReaders(200) },
  'PATCH /repos/{owner}/{repo}/releases/{id}': {
    statuses: releaseWriters(200),
    body: () => ({ body: 'X' }),
  },
  'DELETE /repos/{owner}/{repo}/releases/{id}': { statuses: releaseWriters(204) },
  'GET /repos/{owner}/{repo}/releases/{id}/assets': { statuses: repoReaders(200) },
  'POST /repos/{owner}/{repo}/releases/{id}/assets': {
    statuses: releaseWriters(201),
    query: '?name=a',
    body: () => ({}),
  },
  'GET /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}': { statuses: repoReaders(200) },
  'PATCH /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}': {
    statuses: releaseWriters(201),
    body: () => ({ name: 'b' }),
  },
  'DELETE /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}': { statuses: releaseWriters(204) },

  'GET /repos/{owner}/{repo}/actions/runs': { statuses: repoReaders(200) },
  'POST /repos/{owner}/{repo}/actions/runs': {
    statuses: actionWriters(201),
    body: () => ({ workflow: 'on: push\njobs: { a: { runs-on: x, steps: [{ run: make }] } }' }),
  },
  'GET /repos/{owner}/{repo}/actions/runs/{run}': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/runs/{run}/jobs': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/jobs': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/runs/{run}/artifacts': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/artifacts': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}': { statuses: repoReaders(200) },
  'DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact_id}': { statuses: actionWriters(204) },
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip': { statuses: repoReaders(302) },
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip/raw': { statuses: everybody(401) },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs': { statuses: repoReaders(200) },
  'POST /repos/{owner}/{repo}/actions/jobs/{job_id}/tasks': { statuses: actionWriters(201) },
  'GET /repos/{owner}/{repo}/actions/tasks': { statuses: repoReaders(200) },
  'PATCH /repos/{owner}/{repo}/actions/tasks/{task_id}': {
    statuses: actionWriters(200),
    body: () => ({ conclusion: 'success' }),
  },

  'GET /repos/{owner}/{repo}/teams': { statuses: repoReaders(200) },
  'GET /repos/{owner}/{repo}/teams/{team}': { statuses: repoReaders(200) },
  'PUT /repos/{owner}/{repo}/teams/{team}': {
    statuses: repoAdmins(204),
    values: ({ values }) => ({ team: values['elsewhere team'] ?? '' }),
  },
  'DELETE /repos/{owner}/{repo}/teams/{team}': { statuses: repoAdmins(204) },
}
