import { sql } from 'kysely'
import { type Db, openDatabase } from '@/db/client'
import { addToTeam, makeOrg, makeTeam, makeUser } from '@/db/testing/factories'
import { findAccountById } from '@/server/kernel/account'
import { anonymous, type Caller } from '@/server/kernel/caller'
import { find } from '@/server/search'
import type { ServerData } from './server-process'

const sizes = [1_000, 100_000]
const organizations = 100
const samples = Number(process.env.BENCH_SAMPLES ?? 60)
const limitMs = 50
const out = (line = '') => process.stdout.write(`${line}\n`)

const texts: [title: string, q: string][] = [
  ['owner/name', 'org-7/repository-77'],
  ['two words in any order', '77 org-7'],
  ['a prefix', 'person-12'],
  ['a rare word', 'quokka'],
  ['one common letter', 'e'],
  ['two common letters', 'or'],
  ['two letters, no match', 'qz'],
  ['a word, no match', 'nothing-of-the-kind'],
  ['common letters, no match', 'sitory-repo'],
  ['all repositories', 'repository'],
  ['all repositories, 2 words', 'tory org'],
]

interface Scene {
  db: Db
  callers: [title: string, caller: Caller][]
  close(): Promise<void>
}

/**
 * Prints how long searches for various texts take with 1,000 and with 100,000 repositories, for a member and
 * an anonymous caller, next to the duration of `select 1`.
 */
export async function benchFind(dataOf: (size: number) => Promise<ServerData>): Promise<void> {
  for (const size of sizes) {
    const { db, callers, close } = await makeScene(await dataOf(size), size)
    out(`  ${size.toLocaleString('en-US')} repositories and ${(size / 10).toLocaleString('en-US')} people`)
    try {
      for (const [title, q] of texts) {
        const figures: string[] = []
        for (const [who, caller] of callers) {
          const { found, nothing } = await race(db, caller, q)
          figures.push(`${who} ${found.toFixed(1)} ms${found > limitMs ? ` ABOVE ${limitMs}` : ''}`)
          figures.push(`select 1 ${nothing.toFixed(1)} ms`)
        }
        out(`    ${title.padEnd(26)} p95  ${figures.join('   ')}`)
      }
    } finally {
      await close()
    }
  }
}

// The queries take turns, so that background load affects both equally.
async function race(db: Db, caller: Caller, q: string): Promise<{ found: number; nothing: number }> {
  const times = { found: [] as number[], nothing: [] as number[] }
  for (let sample = -5; sample < samples; sample++) {
    const nothing = await time(() => sql`select 1`.execute(db))
    const found = await time(() => find({ db, caller, remoteAddress: '' }, { q, limit: 6 }))
    if (sample < 0) continue
    times.nothing.push(nothing)
    times.found.push(found)
  }
  return { found: p95(times.found), nothing: p95(times.nothing) }
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return performance.now() - started
}

function p95(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.95)] as number
}

/**
 * Creates organizations and users of every visibility, repositories, a third of which are private, and a
 * member of three of the organizations.
 */
async function makeScene(data: ServerData, size: number): Promise<Scene> {
  const { db, close } = await openDatabase(data)
  const { id: founder } = await makeUser(db)
  const { id: member } = await makeUser(db)
  const orgs: number[] = []
  for (let n = 0; n < organizations; n++) {
    const visibility = (['public', 'public', 'public', 'limited', 'private'] as const)[n % 5]
    const org = await makeOrg(db, founder, { name: `org-${n}`, ...(visibility ? { visibility } : {}) })
    orgs.push(org.id)
    const team = await makeTeam(db, org.id, { name: 'everybody' })
    if (n % 33 === 4) await addToTeam(db, team, member)
  }
  await addRepositories(db, orgs, size)
  await sql`
    insert into users (name, full_name, email, visibility)
    select 'person-' || n, 'Person of Order ' || n, 'person-' || n || '@example.test',
      (array['public', 'public', 'limited', 'private'])[1 + n % 4]
    from generate_series(1, ${size / 10}::int) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const user = await findAccountById(db, member)
  if (!user) throw new Error('the account that was just created does not exist')
  const caller: Caller = { kind: 'user', user, credential: { kind: 'session', sessionId: 1 } }
  return {
    db,
    close,
    callers: [
      ['member', caller],
      ['anonymous', anonymous],
    ],
  }
}

const portion = 5_000

async function addRepositories(db: Db, orgs: readonly number[], size: number): Promise<void> {
  for (let first = 1; first <= size; first += portion) {
    await sql`
      with numbered as (
        select n, (${[...orgs]}::bigint[])[1 + n % ${organizations}::int] as owner_id
        from generate_series(${first}::int, ${Math.min(first + portion - 1, size)}::int) n),
      added as (
        insert into repositories (owner_id, owner_name, name, is_private, default_branch, storage_key)
        select owner_id, users.name, 'repository-' || n || case when n % 25000 = 777 then '-quokka' else '' end,
          n % 3 = 0, 'main', md5('find ' || n)
        from numbered join users on users.id = owner_id returning id, owner_id)
      insert into team_repositories (team_id, org_id, repository_id)
      select teams.id, added.owner_id, added.id from added join teams on teams.org_id = added.owner_id
      where teams.name = 'everybody' and added.id % 2 = 0`.execute(db)
  }
}
