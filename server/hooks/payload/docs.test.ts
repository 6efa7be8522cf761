import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { addressOf, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { bodyOf } from '../delivery/request'
import { maxTries, retryDelayMs } from '../delivery/schedule'
import { signatureHeaders } from '../delivery/sign'
import { ownEvents } from '../event-names'
import { hookKinds, hookTypeOf } from '.'
import type { HookBodies } from './bodies'
import { payloadsOf } from './testing/payloads'
import type { HookPayload } from './types'

const path = fileURLToPath(new URL('../../../docs/webhooks.md', import.meta.url))
const site = useSite({ baseUrl: 'https://forge.example.com' })
const work = useWorkDirectory()

/** The payloads that the tests below have sent, in order. */
const seen: HookPayload[] = []

beforeAll(async () => {
  site.now.set(new Date('2026-03-01T09:00:00Z'))
  const ada = await makePerson(site, { name: 'ada', full_name: 'Ada Lovelace' })
  const grace = await makePerson(site, { name: 'grace', full_name: 'Grace Hopper' })
  const org = await makeOrg(site.db, ada.account.id, { name: 'acme', full_name: 'Acme Inc.' })
  const watch = async (act: () => Promise<unknown>) => void seen.push(...(await payloadsOf(site, act)))
  const does = (method: string, at: string, body?: object) =>
    watch(() => call(site, method, at, { as: ada, body }))

  await does('POST', `/orgs/${org.name}/repos`, { name: 'rocket', description: 'To the moon' })
  const local = work.path()
  await startLocal(local)
  const url = new URL(addressOf(site, { path: '/acme/rocket' }, ada))
  await watch(() => gitOk(['push', '-q', url.href, 'main'], { cwd: local }))
  await writeFile(join(local, 'engine.txt'), 'on\n')
  await gitOk(['add', '.'], { cwd: local })
  await gitOk(['commit', '-q', '-m', 'Start the engine'], { cwd: local })
  await watch(() => gitOk(['push', '-q', url.href, 'main', 'main:test'], { cwd: local }))
  await watch(() => gitOk(['push', '-q', url.href, ':test'], { cwd: local }))
  const config = { url: 'https://ci.example.com/', content_type: 'json' }
  await call(site, 'POST', `/repos/${org.name}/rocket/hooks`, {
    as: ada,
    body: { type: 'gitea', config, events: ['status'], active: true },
  })
  await does('POST', `/repos/${org.name}/rocket/statuses/main`, {
    state: 'success',
    context: 'ci/test',
    description: '12 tests passed',
    target_url: 'https://ci.example.com/builds/1',
  })
  await does('POST', `/repos/${org.name}/rocket/releases`, {
    tag_name: 'v1.0',
    name: 'To the moon',
    body: 'The engine starts.',
  })

  const actions = `/repos/${org.name}/rocket/actions`
  const workflow = 'name: CI\non: push\njobs: { build: { runs-on: ubuntu-latest, steps: [{ run: make }] } }'
  await does('POST', `${actions}/runs`, { workflow, path: '.gitea/workflows/ci.yml' })

  const { body: team } = await call(site, 'POST', `/orgs/${org.name}/teams`, {
    as: ada,
    body: { name: 'crew', description: 'Who flies it', permission: 'write', units: ['repo.code'] },
  })
  await does('PATCH', `/teams/${team.id}`, { description: 'Who flies it' })
  await does('PUT', `/teams/${team.id}/members/${grace.name}`)
  await does('PUT', `/teams/${team.id}/repos/${org.name}/rocket`)
  await does('POST', '/user/keys', {
    title: 'laptop',
    key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGQHTzQiWSJcUQ/YLsVWB7UWOcOY+PU0PLy2qX6f4AI8',
  })
})

type Type = Exclude<keyof HookBodies, 'ping'>

const sent: Record<Type, string> = {
  push: 'Commits were pushed to a branch, a branch or tag was created, or a tag was deleted, with zeros in `after`',
  create: 'A branch or tag was created, or a tag was moved',
  delete: 'A branch or tag was deleted',
  repository:
    '`created`, `transferred`, `deleted`. A transfer is sent to the webhooks of the new owner, who is in `organization`',
  release:
    '`published`, `updated`, `deleted`; nothing is sent for drafts. Publishing a draft whose tag already exists is `updated`',
  status:
    'A CI system or a job reported the status of a commit. Runs report each job when it waits, is queued, starts, and ends',
  workflow_run: '`requested`, `in_progress`, `completed`, for each attempt of a run',
  workflow_job: '`queued`, `waiting` for other jobs, `in_progress`, `completed`',
  organization: '`created`, `edited`, `renamed`, `deleted`, `member_added`, `member_removed`',
  team: '`created`, `edited`, `deleted`, `added_to_repository`, `removed_from_repository`',
  membership: '`added` to a team, `removed` from a team, including by leaving the organization',
  key: '`created`, `deleted`: SSH keys of people, sent only to their own webhooks and those of the site',
  runner: '`registered`, `edited`, `deleted`',
  artifact: '`created`, `deleted`, `expired`',
}

const emitted = new Set(hookKinds.map(hookTypeOf))

function eventTable(): string {
  const rows = (Object.keys(sent) as Type[]).map(type => {
    const name = (ownEvents as readonly string[]).includes(type) ? `\`${type}\` (Guildhall)` : `\`${type}\``
    return `| ${name} | ${emitted.has(type) ? sent[type] : 'Not sent yet'} |`
  })
  return ['| Name | When it is sent, or its actions |', '|---|---|', ...rows].join('\n')
}

const units = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

function scheduleTable(): string {
  let since = 0
  const rows = Array.from({ length: maxTries - 1 }, (_, index) => {
    const wait = retryDelayMs(index + 1, 0.5) ?? 0
    since += wait
    return `| ${index + 2} | ${asText(wait)} | ${asText(since)} |`
  })
  return ['| Attempt | Wait before the attempt | Since the first attempt |', '|---|---|---|', ...rows].join(
    '\n',
  )
}

/** Formats a duration with one decimal, in the largest unit in which it is at least one. */
function asText(ms: number): string {
  const [unit, length] = units.find(([, each]) => ms >= each) ?? units[2]
  const count = Math.round((ms / length) * 10) / 10
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

// Objects that were shown whole are cut short, on one line.
function shorten(value: unknown, shown: Set<string>, depth = 0): unknown {
  if (Array.isArray(value)) return value.map(each => shorten(each, shown, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  const [kind, ...names] = kindOf(object)
  if (kind && shown.has(kind)) {
    const kept = Object.fromEntries(['id', ...names].map(name => [name, object[name]]))
    return `@@${JSON.stringify(kept, null, 1).replace(/\n\s*/g, ' ').replace(' }', ', … }')}@@`
  }
  const entries = Object.entries(object).map(([name, each]) => [name, shorten(each, shown, depth + 1)])
  if (kind) shown.add(kind)
  return Object.fromEntries(entries)
}

function kindOf(object: Record<string, unknown>): string[] {
  if ('clone_url' in object) return ['repository', 'full_name']
  if ('login' in object) return ['user', 'login']
  if ('units_map' in object) return ['team', 'name']
  if ('repo_admin_change_team_access' in object) return ['organization', 'name']
  return []
}

function examples(): string {
  const shown = new Set<string>()
  const hashes = new Map<string, string>()
  // The order in which they come decides: IDs of commits depend on when the test runs.
  const stable = (text: string) =>
    text
      .replace(/\b(?!0{40})[0-9a-f]{40}\b/g, hash => {
        const known = hashes.get(hash) ?? createHash('sha1').update(String(hashes.size)).digest('hex')
        hashes.set(hash, known)
        return known
      })
      .replace(/"(?!0001|1970)\d{4}-\d\d-\d\dT[\d:]+Z"/g, '"2026-03-01T09:00:00Z"')
      .replace(/"size": \d+/g, '"size": 25')
      .replace(/"[0-9a-f]{12}"/g, '"README"')
  const first = (Object.keys(sent) as Type[]).flatMap(type => {
    const payloads = seen.filter(({ eventType }) => eventType === type)
    const best = payloads.find(({ body }) => 'commits' in body && /[^0]/.test(body.before)) ?? payloads[0]
    return best ? [best] : []
  })
  return first
    .map(({ eventType, body }) => {
      const json = JSON.stringify(shorten(body, shown), null, 2)
      const lines = stable(json.replace(/"@@(.*)@@"/g, (_, text) => text.replaceAll('\\"', '"')))
      return `### ${eventType}\n\n\`\`\`json\n${lines}\n\`\`\``
    })
    .join('\n\n')
}

describe('docs/webhooks.md', () => {
  // After a change: npx vitest run --project unit server/hooks/payload/docs.test.ts -u
  it('contains the current payload examples, retry schedule, and event table', async () => {
    const blocks: Record<string, string> = {
      schedule: scheduleTable(),
      events: eventTable(),
      examples: examples(),
    }
    const text = await readFile(path, 'utf8')
    const current = text.replace(
      /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_, start, name, end) => `${start}\n${blocks[name] ?? ''}\n\n${end}`,
    )
    await expect(current).toMatchFileSnapshot(path)
  })

  it('has an example of every event type that is sent', () => {
    expect(new Set(seen.map(({ eventType }) => eventType))).toEqual(emitted)
  })

  describe.each(['gitea', 'standard'])('the snippet "%s"', name => {
    it.each(
      ['s3cret', 'ключ', `whsec_${Buffer.from('a secret of the standard').toString('base64')}`].flatMap(
        secret => (['json', 'form'] as const).map(contentType => ({ secret, contentType })),
      ),
    )('accepts only valid signatures for $contentType with the secret $secret', async request => {
      const { secret, contentType } = request
      const isOurs = await snippet(name)
      const { body, headers } = requestOf(contentType, secret)
      expect(isOurs(secret, body, headers)).toBe(true)
      expect(isOurs(secret, body.replace('main', 'evil'), headers)).toBe(false)
      expect(isOurs('another', body, headers)).toBe(false)
      expect(isOurs('whsec_?', body, headers)).toBe(false)
      const signature = name === 'gitea' ? 'x-gitea-signature' : 'webhook-signature'
      for (const forged of [undefined, '', 'ab', 'v1,', 'sha256=', 'ключ', '0'.repeat(64)]) {
        expect(isOurs(secret, body, { ...headers, [signature]: forged })).toBe(false)
      }
      expect(isOurs(secret, body, {})).toBe(false)
      expect(isOurs(secret, '', headers)).toBe(false)
    })
  })
})

type IsOurs = (secret: string, body: string, headers: Record<string, string | undefined>) => boolean

async function snippet(name: string): Promise<IsOurs> {
  const text = await readFile(path, 'utf8')
  const [, code] = new RegExp(`<!-- snippet: ${name} -->\n\`\`\`js\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  if (!code) throw new Error(`no snippet ${name}`)
  const directory = work.path()
  await mkdir(directory)
  await symlink(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'))
  const file = join(directory, 'receiver.mjs')
  await writeFile(file, code)
  const { isOurs }: { isOurs: IsOurs } = await import(file)
  return isOurs
}

function requestOf(contentType: 'json' | 'form', secret: string) {
  const json = '{"ref":"refs/heads/main"}'
  const { body, mimeType } = bodyOf(contentType, json)
  const headers = signatureHeaders({
    uuid: '5e0ac6f5-7a3c-4a4e-9f5b-0f1c6c2f6b0e',
    json,
    body,
    sentAt: new Date(),
    secret,
    formerSecret: undefined,
  })
  const request = Object.entries({ ...headers, 'content-type': mimeType })
  return { body, headers: Object.fromEntries(request.map(([key, value]) => [key.toLowerCase(), value])) }
}
