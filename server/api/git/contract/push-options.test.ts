import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { makeDeployKey } from '@/db/testing/factories'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { call } from '@/testing/call'
import { git, gitOk } from '@/testing/git'
import {
  addressOf,
  makeGitRepository,
  recordedEvents,
  refsOf,
  startLocal,
  useWorkDirectory,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'
import { addGeneratedKey, generateKey, hasSsh, useSsh } from '@/testing/ssh'
import { commitFiles, startWaiting, workflowOn } from '@/testing/workflows'

describe.skipIf(mount === 'next')('a push with options', () => {
  const site = useSite()
  const ssh = useSsh(site)
  const work = useWorkDirectory()

  async function prepare() {
    const person = await makePerson(site)
    const repository = await makeGitRepository(site, person.account)
    const local = work.path()
    await startLocal(local)
    const on = `{ push: , create: , schedule: [{ cron: '5 4 * * *' }] }`
    const tip = await commitFiles(local, { '.gitea/workflows/ci.yml': workflowOn(on) })
    const remote = addressOf(site, repository, person)
    const runs = async (): Promise<string[]> => {
      await startWaiting(site)
      const { body } = await call(site, 'GET', `/repos${repository.path}/actions/runs`, { as: person })
      return body.workflow_runs.map((run: { event: string }) => run.event).sort()
    }
    return { person, repository, local, tip, remote, runs }
  }

  it('succeeds if the server does not know them', async () => {
    const { repository, local, tip, remote, runs } = await prepare()
    const options = ['merge_request.create', 'topic=x', 'a="b c" $(id)', ''].flatMap(each => ['-o', each])
    await gitOk(['push', '-q', ...options, remote, 'main'], { cwd: local })
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
    expect(await runs()).toEqual(['create', 'push'])
  })

  it('starts no workflows with ci.skip; schedules and webhooks follow it, and the next push starts workflows', async () => {
    const { repository, local, remote, runs } = await prepare()
    await gitOk(['push', '-q', '--atomic', '-o', 'ci.skip', remote, 'main', 'main:side'], { cwd: local })
    expect(await runs()).toEqual([])
    const events = await recordedEvents(site, repository)
    expect(events.map(({ kind, facts }) => [kind, facts.skipsWorkflows])).toEqual([
      ['ref.created', true],
      ['git.pushed', true],
      ['ref.created', true],
      ['git.pushed', true],
    ])
    const schedules = site.db.selectFrom('workflow_schedules').select('cron')
    expect(await schedules.where('repository_id', '=', repository.id).execute()).toEqual([
      { cron: '5 4 * * *' },
    ])
    await commitFiles(local, { a: '1' })
    await gitOk(['-c', 'push.pushOption=topic=x', 'push', '-q', remote, 'main'], { cwd: local })
    expect(await runs()).toEqual(['push'])
  })

  it('is parsed from a gzipped and from a chunked body', async () => {
    const { person, repository, local, tip, runs } = await prepare()
    const packet = (text: string) => (text.length + 4).toString(16).padStart(4, '0') + text
    const command = packet(`${'0'.repeat(40)} ${tip} refs/heads/main\0report-status push-options`)
    await gitOk(['pack-objects', '-q', '--revs', 'pack'], { cwd: local, input: 'main\n' })
    const name = (await readdir(local)).find(file => file.endsWith('.pack')) ?? ''
    const pack = await readFile(join(local, name))
    const whole = Buffer.concat([Buffer.from(`${command}0000${packet('skip-ci')}0000`), pack])
    const gzipped = gzipSync(whole)
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = 0; at < gzipped.length; at += 50) yield gzipped.subarray(at, at + 50)
    }
    const url = new URL(addressOf(site, repository))
    const response = await fetch(`${url}/git-receive-pack`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${person.name}:${person.password}`).toString('base64')}`,
        'content-type': 'application/x-git-receive-pack-request',
        'content-encoding': 'gzip',
      },
      body: pieces() as unknown as ReadableStream,
      duplex: 'half',
    } as RequestInit)
    expect(await response.text()).toContain('ok refs/heads/main')
    expect(await refsOf(repository)).toEqual({ 'refs/heads/main': tip })
    expect(await runs()).toEqual([])
  })

  it('is refused with the limit in the message if there are too many', async () => {
    const { repository, local, remote } = await prepare()
    const many = Array.from({ length: 101 }, (_, index) => ['-o', `topic=${index}`]).flat()
    for (const options of [many, ['-o', 'x'.repeat(40_000), '-o', 'y'.repeat(40_000)]]) {
      const { code, stderr } = await git(['push', ...options, remote, 'main'], { cwd: local })
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('remote: Use at most 100 push options, with a maximum of 64 KiB in total.'),
      ])
    }
    expect(await refsOf(repository)).toEqual({})
  })

  it.skipIf(!hasSsh)('works over SSH, too, for people and deploy keys', async () => {
    const { person, repository, local, runs } = await prepare()
    const remote = ssh.address(repository.path)
    const { file } = await addGeneratedKey(site, ssh, person)
    await gitOk(['push', '-q', '-o', 'ci.skip', remote, 'main'], { cwd: local, settings: ssh.settings(file) })
    const deploy = await generateKey(ssh.directory)
    const { content, fingerprint } = parsePublicKey(deploy.publicKey)
    const key = await makeDeployKey(site.db, [repository], { mode: 'write' })
    await site.db.updateTable('public_keys').set({ content, fingerprint }).where('id', '=', key.id).execute()
    const settings = ssh.settings(deploy.file)
    await gitOk(['push', '-q', '-o', 'skip-ci', remote, 'main:other'], { cwd: local, settings })
    expect(await runs()).toEqual([])
    await gitOk(['push', '-q', '-o', 'topic=x', remote, 'main:third'], { cwd: local, settings })
    expect(await runs()).toEqual(['create', 'push'])
  })
})
