import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freshKey } from './load'

const run = promisify(execFile)

/** Adds 30 keys, 30 repositories, and one with 21 branches, ten releases, and 21 runs. */
export async function fillSite(
  url: string,
  { name, password }: { name: string; password: string },
  directory: string,
): Promise<void> {
  const repository = `/${name}/engine`
  const basic = Buffer.from(`${name}:${password}`).toString('base64')
  const post = async (path: string, body: object): Promise<void> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
    })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  for (let index = 1; index <= 30; index++) {
    await post('/user/keys', freshKey())
    await post('/user/repos', { name: `tool-${index}`, description: `The tool with the number ${index}` })
  }
  await post('/user/repos', { name: 'engine', auto_init: true, description: 'Computes what can be computed' })
  await mkdir(directory, { recursive: true })
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', ...args], { cwd: directory })
  const remote = `${url.replace('//', `//${name}:${encodeURIComponent(password)}@`)}${repository}.git`
  await git('clone', '-q', remote, '.')
  await mkdir(join(directory, '.github/workflows'), { recursive: true })
  await writeFile(
    join(directory, '.github/workflows/ci.yml'),
    'on: push\njobs:\n  test: {runs-on: linux, steps: [{run: make}]}\n',
  )
  await git('add', '.')
  await git('commit', '-qm', 'Add a workflow')
  for (let index = 1; index <= 20; index++) await git('branch', `topic-${index}`)
  await git('push', '-q', '--all')
  for (let index = 1; index <= 10; index++) {
    await post(`/repos${repository}/releases`, { tag_name: `v${index}`, body: `Release number ${index}` })
  }
  await rm(directory, { recursive: true })
}
