import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { parseConfig, settingNames } from '@/server/kernel/config'
import { recommendedNode } from '@/server/node-support'
import { currentNodeMajor } from '@/testing/current-node.mjs'
import { findSystemdAnalyze } from '@/testing/programs.mjs'
import { root } from './run.mjs'

const text = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

it.each([
  'compose.yaml',
  'Dockerfile',
  'deploy/Caddyfile',
  'deploy/guildhall.service',
  'deploy/nginx.conf',
  'deploy/traefik.yaml',
])('%s names only settings that exist', async path => {
  const names = (await text(path)).match(/\b(GUILDHALL_[A-Z\d_]+|DATABASE_URL\w*)/g) ?? []
  expect(names).not.toEqual([])
  expect(names.filter(name => !settingNames.includes(name))).toEqual([])
})

it('compose.yaml runs the image read-only, without capabilities, with its data in a volume', async () => {
  const { services, secrets, volumes } = parse(await text('compose.yaml'))
  expect(services.guildhall).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    volumes: ['data:/data'],
    depends_on: { database: { condition: 'service_healthy' } },
  })
  const used = [services.guildhall, services.database].flatMap(each => each.secrets)
  expect(used.sort()).toEqual(Object.keys(secrets).sort())
  expect(Object.keys(volumes)).toEqual(['data', 'database'])
})

it('compose.yaml has valid settings, including those in its comments', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-compose-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'database-url'), 'postgres://guildhall:secret@database/guildhall')
  await writeFile(join(directory, 's3-secret-access-key'), 'secret')
  await writeFile(join(directory, 'backup-passphrase'), 'a passphrase of words')
  const all = (await text('compose.yaml'))
    .replace(/^( +)# (GUILDHALL_)/gm, '$1$2')
    .replaceAll('/run/secrets', directory)
  const { environment } = parse(all).services.guildhall
  expect(parseConfig(environment)).toMatchObject({
    baseUrl: 'http://localhost:3000',
    storage: { kind: 's3', bucket: 'guildhall' },
    backup: { to: '/backups', passphrase: 'a passphrase of words' },
    databaseUrl: 'postgres://guildhall:secret@database/guildhall',
  })
})

it('the image, the documentation, and the tests use the same version of Node.js', async () => {
  expect(await text('Dockerfile')).toContain(`/node:${recommendedNode}-slim\n`)
  expect(await text('docs/operating.md')).toContain(`Node.js ${recommendedNode} is recommended`)
  expect(currentNodeMajor).toBe(recommendedNode)
})

it('the Dockerfile only runs scripts of this repository', async () => {
  const runs = (await text('Dockerfile')).split('\n').filter(line => line.startsWith('RUN '))
  expect(runs).toEqual(['RUN sh scripts/image/build.sh /app', 'RUN sh /tmp/install.sh'])
})

const systemdAnalyze = (await findSystemdAnalyze()) ?? ''

it.skipIf(!systemdAnalyze)('systemd accepts the unit', () => {
  const unit = join(root, 'deploy/guildhall.service')
  const { status, stderr } = spawnSync(systemdAnalyze, ['verify', unit], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
