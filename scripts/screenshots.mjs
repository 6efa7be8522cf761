// Takes the screenshots of the README. With a directory as an argument, takes screenshots of all pages
// instead: light, dark, and 390 pixels wide.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from 'playwright'
import { findChromium } from '../testing/programs.mjs'
import { buildIfNeeded } from './build.mjs'
import { root } from './run.mjs'

const port = 4700
const site = `http://localhost:${port}`
const directory = process.argv[2]
const authorization = `Basic ${Buffer.from('ada:a long enough password').toString('base64')}`
const receiver = createServer((request, response) => {
  response.writeHead(request.url === '/deploy' ? 503 : 200, { 'content-type': 'text/plain' })
  response.end(request.url === '/deploy' ? 'The deployment is under way.' : 'Thank you.')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

await buildIfNeeded()
const home = await mkdtemp(join(tmpdir(), 'guildhall-screenshots-'))
const server = spawn(process.execPath, ['dist/main.js'], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    GUILDHALL_SSH_PORT: 'off',
    GUILDHALL_SSH_PUBLIC_PORT: '2222',
    GUILDHALL_DATA_DIR: home,
    GUILDHALL_ADMIN_USER: 'ada',
    GUILDHALL_ADMIN_PASSWORD: 'a long enough password',
    GUILDHALL_ADMIN_EMAIL: 'ada@example.test',
    GUILDHALL_WEBHOOK_ALLOWED_HOSTS: 'loopback',
  },
})
while (!(await fetch(`${site}/readyz`).catch(() => undefined))?.ok) await delay(100)
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
})
try {
  await fill()
  if (directory) {
    await draw(directory, Object.keys(pages()), [
      { name: '-light', width: 1280, height: 800, colorScheme: 'light' },
      { name: '-dark', width: 1280, height: 800, colorScheme: 'dark' },
      { name: '-phone', width: 390, height: 844, colorScheme: 'light' },
    ])
  } else {
    await draw(
      join(root, 'docs/screenshots'),
      ['run'],
      [
        { name: '-light', width: 1280, height: 720, colorScheme: 'light' },
        { name: '-dark', width: 1280, height: 720, colorScheme: 'dark' },
      ],
    )
  }
} finally {
  await browser.close()
  receiver.close()
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  await rm(home, { recursive: true, force: true })
}

function pages() {
  return {
    keys: '/user/settings/keys',
    'keys-add': '/user/settings/keys?add=1',
    tokens: '/user/settings/tokens',
    'tokens-add': '/user/settings/tokens?add=1',
    profile: '/user/settings/profile',
    password: '/user/settings/password',
    sessions: '/user/settings/sessions',
    blocked: '/user/settings/blocked',
    users: '/-/admin/users',
    'users-add': '/-/admin/users?add=1',
    person: '/ada',
    home: '/',
    explore: '/explore',
    'org-new': '/-/orgs/new',
    org: '/atelier',
    'org-people': '/-/orgs/atelier/people',
    'org-teams': '/-/orgs/atelier/teams',
    'org-settings': '/-/orgs/atelier/settings',
    'org-activity': '/-/orgs/atelier/activity',
    'team-members': '/-/orgs/atelier/teams/engravers',
    'team-repositories': '/-/orgs/atelier/teams/engravers/repositories',
    'team-permissions': '/-/orgs/atelier/teams/engravers/permissions',
    'team-settings': '/-/orgs/atelier/teams/engravers/settings',
    hooks: '/-/orgs/atelier/settings/hooks',
    'hooks-new': '/-/orgs/atelier/settings/hooks/new',
    'hooks-events': '/-/orgs/atelier/settings/hooks/events',
    hook: '/-/orgs/atelier/settings/hooks/1',
    'hook-deliveries': '/-/orgs/atelier/settings/hooks/1/deliveries?delivery=1',
    'hook-failing': '/-/orgs/atelier/settings/hooks/2/deliveries',
    runners: '/-/orgs/atelier/settings/actions/runners',
    'runners-new': '/-/orgs/atelier/settings/actions/runners/new',
    'secrets-add': '/-/orgs/atelier/settings/actions/secrets?add=1',
    secrets: '/atelier/plates/settings/actions/secrets',
    variables: '/atelier/plates/settings/actions/variables',
    'repo-new': '/-/new',
    repo: '/atelier/plates',
    'repo-empty': '/atelier/sketches',
    'repo-branches': '/atelier/plates/branches',
    'repo-tags': '/atelier/plates/tags',
    'repo-labels': '/atelier/plates/labels',
    directory: '/atelier/plates/src/branch/main/src',
    file: '/atelier/plates/src/branch/main/src/press.ts',
    commits: '/atelier/plates/commits/branch/main',
    commit: '/atelier/plates/commit/main',
    compare: '/atelier/plates/compare/main...deeper-lines',
    notifications: '/-/notifications',
    releases: '/atelier/plates/releases',
    release: '/atelier/plates/releases/tag/v1.0',
    'release-new': '/atelier/plates/releases/new?tag=v2.0',
    'release-edit': '/atelier/plates/releases/edit/v1.1',
    'release-edit-published': '/atelier/plates/releases/edit/v1.0',
    runs: '/atelier/plates/actions',
    'runs-empty': '/atelier/sketches/actions',
    run: '/atelier/plates/actions/runs/1',
    artifact: '/atelier/plates/actions/runs/1/artifacts/proofs.json',
    'repo-settings': '/atelier/plates/settings',
    'sign-out': '/-/sign-out',
    'repo-access': '/atelier/plates/settings/access?why=grace',
    docs: '/api/docs',
    'not-found': '/no/such/page',
    'sign-in': '/-/sign-in',
  }
}

async function fill() {
  const post = (path, body) =>
    fetch(`${site}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const put = (path, body = {}) =>
    fetch(`${site}/api/v1${path}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  for (const [title, comment] of [
    ['Laptop', 'ada@laptop'],
    ['Workstation', 'ada@workstation'],
    ['Security key', 'ada@token'],
  ]) {
    await post('/user/keys', { title, key: `${randomKey()} ${comment}` })
  }
  await post('/users/ada/tokens', { name: 'deploy script', scopes: ['write:repository', 'read:user'] })
  await post('/admin/users', {
    username: 'grace',
    full_name: 'Grace',
    email: 'grace@example.test',
    password: 'another password',
  })
  await post('/orgs', {
    username: 'atelier',
    full_name: 'The Atelier',
    description: 'Plates, prints and proofs.',
  })
  const target = `http://127.0.0.1:${receiver.address().port}`
  for (const [name, path, events] of [
    ['Builds', '/build', ['push', 'create', 'delete', 'repository']],
    ['Deployments', '/deploy', ['push', 'repository', 'team']],
  ]) {
    const config = { url: target + path, content_type: 'json', secret: 'it is a secret' }
    await post('/orgs/atelier/hooks', { type: 'gitea', name, active: true, events, config })
  }
  await post('/orgs/atelier/repos', {
    name: 'plates',
    description: 'Copper plates',
    auto_init: true,
    private: true,
  })
  await post('/orgs/atelier/repos', { name: 'sketches' })
  await put('/orgs/atelier/actions/secrets/REGISTRY_TOKEN', { data: 'x', description: 'Publishes prints' })
  await put('/repos/atelier/plates/actions/secrets/SIGNING_KEY', { data: 'x', description: 'Signs proofs' })
  await post('/orgs/atelier/actions/variables/PRESS', { value: 'copper' })
  await post('/repos/atelier/plates/actions/variables/PRESS', {
    value: 'steel',
    description: 'For long runs',
  })
  await fillCode(post, put)
  const notes = '## New\n\n- **Deeper** lines\n- [x] Proofs on thin paper\n\n```sh\nplates print --proof\n```'
  const releases = '/repos/atelier/plates/releases'
  await post(releases, { tag_name: 'v0.9', name: 'Proofs', body: '- A plate more\n'.repeat(40) })
  const release = await post(releases, { tag_name: 'v1.0', name: 'First edition', body: notes })
  await post(releases, { tag_name: 'v1.1', name: 'Second edition', draft: true })
  const { id } = await release.json()
  for (const name of ['plates-1.0.tar.gz', 'plates-1.0.zip']) {
    await fetch(`${site}/api/v1${releases}/${id}/assets?name=${name}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: name.repeat(1000),
    })
  }
  await fillRun((path, body) => post(`/repos/atelier/plates/actions${path}`, body))
  const made = await post('/orgs/atelier/teams', {
    name: 'engravers',
    description: 'The people who cut the plates',
    permission: 'write',
    units_map: { 'repo.code': 'write', 'repo.issues': 'write', 'repo.wiki': 'read', 'repo.releases': 'read' },
  })
  const team = `/teams/${(await made.json()).id}`
  await put(`${team}/members/grace`)
  await put(`${team}/repos/atelier/plates`)
}

/** Adds files, branches, commit statuses, topics, and labels. */
async function fillCode(post, put) {
  const at = '/repos/atelier/plates'
  const write = async (path, text, more = {}) => {
    const content = Buffer.from(text).toString('base64')
    return await (await post(`${at}/contents/${path}`, { content, ...more })).json()
  }
  const code =
    'export function press(plate: Plate, depth = 0.25): Proof {\n  return plate.print({ depth })\n}\n'
  await write('src/press.ts', code, { message: 'Press plates' })
  const { commit } = await write('src/proof.ts', code.replaceAll('press', 'proof'), {
    message: 'Print proofs',
  })
  await write('src/deep.ts', code.replace('0.25', '0.5'), { new_branch: 'deeper-lines' })
  for (const [context, state] of [
    ['ci/build', 'success'],
    ['ci/proofs', 'failure'],
  ]) {
    await post(`${at}/statuses/${commit.sha}`, { context, state, description: 'Ended after 3 minutes' })
  }
  await put(`${at}/topics`, { topics: ['printing', 'copper', 'engraving'] })
  await post(`${at}/labels`, { name: 'bug', color: '#d73a4a', description: 'A line is wrong' })
  await post(`${at}/labels`, { name: 'size/large', color: '#0e8a16' })
}

/** Creates a workflow run whose first job is running and has uploaded an artifact. */
async function fillRun(post) {
  const workflow = `name: Proofs
on: push
jobs:
  etch: { runs-on: ubuntu-latest, steps: [{ run: make }] }
  print: { needs: etch, runs-on: [self-hosted, press], steps: [{ run: make proofs }] }`
  const run = (await (await post('/runs', { workflow, title: 'Cut deeper lines', event: 'push' })).json()).id
  const { id: job } = (
    await (
      await fetch(`${site}/api/v1/repos/atelier/plates/actions/runs/${run}/jobs`, {
        headers: { authorization },
      })
    ).json()
  ).jobs[0]
  const { token } = await (await post(`/jobs/${job}/tasks`, {})).json()
  const rpc = (method, fields) =>
    fetch(`${site}/twirp/github.actions.results.api.v1.ArtifactService/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        workflow_run_backend_id: String(run),
        workflow_job_run_backend_id: String(job),
        name: 'proofs.json',
        ...fields,
      }),
    })
  const bytes = JSON.stringify({ plates: 7, proofs: [{ plate: 1, depth: 0.25 }] })
  const created = await rpc('CreateArtifact', { version: 7, mime_type: 'application/json' })
  await fetch((await created.json()).signed_upload_url, {
    method: 'PUT',
    headers: { 'x-ms-blob-type': 'BlockBlob' },
    body: bytes,
  })
  await rpc('FinalizeArtifact', { size: String(bytes.length) })
}

function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const name = Buffer.from('\0\0\0\x0bssh-ed25519\0\0\0\x20', 'latin1')
  return `ssh-ed25519 ${Buffer.concat([name, bytes]).toString('base64')}`
}

async function draw(directory, names, views) {
  await mkdir(directory, { recursive: true })
  for (const { name, width, height, colorScheme } of views) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme })
    const page = await context.newPage()
    if (names.includes('sign-in')) {
      await page.goto(`${site}/-/sign-in`)
      await page.screenshot({ path: join(directory, `sign-in${name}.png`) })
    }
    await signIn(page)
    for (const which of names.filter(one => one !== 'sign-in')) {
      await page.goto(site + pages()[which])
      // Pages with live updates keep a connection open, so the network never becomes idle.
      await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
      await page.screenshot({ path: join(directory, `${which}${name}.png`), fullPage: which !== 'docs' })
    }
    await context.close()
  }
}

async function signIn(page) {
  await page.goto(`${site}/-/sign-in`)
  await page.getByLabel('Username or email address').fill('ada')
  await page.getByLabel('Password', { exact: true }).fill('a long enough password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(at => at.pathname !== '/-/sign-in')
}
