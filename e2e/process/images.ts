import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findCurrentNode } from '@/testing/current-node.mjs'
import { findBuildah } from '@/testing/programs.mjs'

const run = promisify(execFile)
const buildah = (await findBuildah()) ?? ''
// The package registry of a test host can have a certificate that only this host knows.
const certificates = '/etc/ssl/certs/ca-certificates.crt'
// Packages that the host has downloaded are not downloaded again. A build deletes only npm's own cache.
const packageCache = '/var/cache/npm'

/** Creates a temporary directory for images, which take gigabytes and must not be kept in memory. */
export async function largeDirectory(): Promise<{ path: string; [Symbol.asyncDispose](): Promise<void> }> {
  const path = await mkdtemp('/var/tmp/guildhall-image-')
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/**
 * Creates the files of an image with Debian and the recommended Node.js, like the official image, whose npm uses the
 * host's cache of packages while an image is built.
 */
export async function makeBase(folder: string): Promise<void> {
  await run('debootstrap', ['--variant=minbase', '--include=libatomic1', 'bookworm', folder])
  // The official image has neither.
  for (const unused of ['var/lib/apt/lists', 'var/cache/apt/archives'])
    await rm(join(folder, unused), { recursive: true })
  const local = join(folder, 'usr/local')
  await cp((await findCurrentNode()) ?? '', join(local, 'bin/node'))
  const npm = await outputOf('sh', ['-c', 'command -v npm'])
  const packageFolder = dirname(dirname(await realpath(npm)))
  await cp(packageFolder, join(local, 'lib/node_modules/npm'), { recursive: true })
  await mkdir(join(local, 'etc'), { recursive: true })
  await writeFile(join(local, 'etc/npmrc'), `cache=${packageCache}\nprefer-offline=true\n`)
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
  await mkdir(join(folder, 'etc/ssl/certs'), { recursive: true })
  await cp(certificates, join(folder, certificates)).catch(() => undefined)
}

const outputOf = async (program: string, args: string[]): Promise<string> =>
  (await run(program, args)).stdout.trim()

/** Images in a storage of their own. */
export class Images {
  private readonly options: string[]

  constructor(directory: string) {
    const storage = (name: string) => join(directory, 'storage', name)
    this.options = ['--root', storage('root'), '--runroot', storage('run'), '--storage-driver', 'vfs']
  }

  /** Makes an image of the files in a folder. */
  async commit(name: string, folder: string): Promise<void> {
    const container = await this.buildah('from', 'scratch')
    await this.buildah('add', '--quiet', container, folder, '/')
    await this.buildah('config', '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container)
    await this.buildah('commit', '--quiet', container, name)
    await this.buildah('rm', container)
  }

  /** Builds the product's image from the Dockerfile in a folder. */
  async build(name: string, base: string, source: string): Promise<void> {
    const from = ['--build-arg', `NODE_IMAGE=localhost/${base}`, '--pull=never']
    const cache = ['--volume', `${await outputOf('npm', ['config', 'get', 'cache'])}:${packageCache}`]
    // Without Docker's format, the image would have no health check. Both stages are built at the same time.
    const options = ['--isolation', 'chroot', '--format', 'docker', '--jobs', '2', ...cache, ...from]
    await this.buildah('build', ...options, '--tag', name, source)
  }

  /** Returns the folder with an image's files, and how many MB and files it has. */
  async mount(name: string): Promise<{ root: string; megabytes: number; files: number }> {
    const root = await this.buildah('mount', await this.buildah('from', '--pull=never', `localhost/${name}`))
    const { stdout } = await run('du', ['-sm', '--one-file-system', root])
    const { stdout: list } = await run('find', [root, '-xdev', '-type', 'f', '-printf', '.'])
    return { root, megabytes: Number.parseInt(stdout, 10), files: list.length }
  }

  private async buildah(command: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(buildah, [...this.options, command, ...args], {
      maxBuffer: 64 * 1024 * 1024,
    })
    return stdout.trim().split('\n').at(-1) ?? ''
  }
}
