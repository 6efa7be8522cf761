import { expect, it } from 'vitest'
import { call } from '@/testing/call'
import { type CodeRepository, makeCode } from '@/testing/code'
import { git, gitOk } from '@/testing/git'
import { recordedEvents, useWorkDirectory } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { oneOf, type Random, randomFrom } from '@/testing/random'
import { series } from '@/testing/series'
import { useSite } from '@/testing/site'

const site = useSite()
const work = useWorkDirectory()
const rounds = series(8, 200)

/** What one client does: the commit that it was told is on a branch, or whether it was told that a ref has changed. */
type Outcome = { commit?: string; branch?: string; deleted?: string; name?: string } | undefined

interface Scene {
  owner: Person
  code: CodeRepository
  remote: string
  local: string
  random: Random
  round: number
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
const send = ({ owner, code }: Scene, method: string, rest: string, body: object) =>
  call(site, method, `${code.path}/${rest}`, { as: owner, body })

async function write(
  scene: Scene,
  method: string,
  path: string,
  body: { branch: string; sha?: string },
): Promise<Outcome> {
  const sent = { content: encoded(`${path} ${scene.random()}`), ...body }
  const { status, body: answer } = await send(scene, method, `contents/${path}`, sent)
  expect([200, 201, 404, 409, 422]).toContain(status)
  return status < 300 ? { commit: answer.commit.sha, branch: body.branch, name: path } : undefined
}

async function push({ remote, local, round }: Scene, branch: string): Promise<Outcome> {
  const message = `Push ${round}`
  await gitOk(['commit', '-q', '--allow-empty', '-m', message], { cwd: local })
  const commit = (await gitOk(['rev-parse', 'HEAD'], { cwd: local })).trim()
  const { code } = await git(['push', '-q', remote, `HEAD:refs/heads/${branch}`], { cwd: local })
  return code === 0 ? { commit, branch } : undefined
}

it(`two changes at once lose nothing that was acknowledged, and each ref has its event (pairs: ${rounds})`, {
  tags: 'series',
  timeout: 400_000,
}, async () => {
  const owner = await makePerson(site)
  const code = await makeCode(site, owner, { 'a.txt': 'a', 'b.txt': 'b' })
  const local = work.path()
  const remote = `${site.url.replace('://', `://${owner.name}:${owner.token}@`)}/${owner.name}/${code.name}.git`
  await gitOk(['clone', '-q', remote, local])
  const random = randomFrom(38)
  for (let round = 0; round < rounds; round++) {
    const scene = { owner, code, remote, local, random, round }
    const topic = `topic-${round}`
    await code.git('branch', topic, 'main')
    await gitOk(['fetch', '-q', remote, 'main'], { cwd: local })
    await gitOk(['reset', '-q', '--hard', 'FETCH_HEAD'], { cwd: local })
    const sha = (await code.git('rev-parse', 'main:a.txt')).trim()
    const kinds: Record<string, () => Promise<Outcome>> = {
      update: () => write(scene, 'PUT', 'a.txt', { branch: 'main', sha }),
      create: () => write(scene, 'POST', `new/${round}-${random()}`, { branch: 'main' }),
      push: () => push(scene, 'main'),
      'write to topic': () => write(scene, 'PUT', 'a.txt', { branch: topic, sha }),
      'push to topic': () => push(scene, topic),
      rename: async () => {
        const { status } = await send(scene, 'PATCH', `branches/${topic}`, { name: `${topic}-renamed` })
        return status === 204 ? { deleted: topic } : undefined
      },
      delete: async () => {
        const { status } = await send(scene, 'DELETE', `branches/${topic}`, {})
        return status === 204 ? { deleted: topic } : undefined
      },
    }
    const [one, other] = [oneOf(random, Object.keys(kinds)), oneOf(random, Object.keys(kinds))]
    const pair = `${round}: ${one} and ${other}`
    const isOneClone = one.startsWith('push') && other.startsWith('push')
    const selected = isOneClone ? [one] : [one, other]
    const outcomes = await Promise.all(selected.map(kind => (kinds[kind] as () => Promise<Outcome>)()))
    const won = outcomes.filter(outcome => outcome !== undefined)
    expect(won.length, pair).toBeGreaterThan(0)
    const isSame = one === other && ['update', 'write to topic', 'rename', 'delete'].includes(one)
    if (isSame) expect(won, pair).toHaveLength(1)
    const isDeleted = won.some(outcome => outcome.deleted)
    for (const { commit, branch } of won) {
      if (!commit || !branch || (branch === topic && isDeleted)) continue
      await code.git('merge-base', '--is-ancestor', commit, `refs/heads/${branch}`)
    }
    await requireEvents(code)
  }
  await code.git('fsck', '--strict', '--no-dangling')
})

/** Each branch points to what the newest event of it says, and what an event deleted is gone. */
async function requireEvents(code: CodeRepository): Promise<void> {
  const events = await recordedEvents(site, code)
  const refs = new Map(
    (await code.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/'))
      .split('\n')
      .map(line => line.split(' ') as [string, string]),
  )
  const pushed = events.filter(({ kind }) => kind === 'git.pushed')
  for (const ref of new Set(pushed.map(({ facts }) => String(facts.ref)))) {
    const ofRef = pushed.filter(({ facts }) => facts.ref === ref)
    const afters = ofRef.map(({ facts }) => facts.after)
    expect(new Set(afters).size).toBe(afters.length)
    const deleted = events.some(({ kind, facts }) => kind === 'ref.deleted' && facts.ref === ref)
    if (refs.has(ref)) expect(afters).toContain(refs.get(ref))
    else expect(deleted).toBe(true)
  }
}
