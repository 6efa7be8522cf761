import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingNames } from '@/server/kernel/config'
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

it('the Dockerfile only runs scripts of this repository', async () => {
  const runs = (await text('Dockerfile')).split('\n').filter(line => line.startsWith('RUN '))
  expect(runs).toEqual(['RUN sh scripts/image/build.sh /app', 'RUN sh /tmp/install.sh'])
})

const { error } = spawnSync('systemd-analyze', ['--version'])

it.skipIf(error)('systemd accepts the unit', () => {
  const { status, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', join(root, 'deploy/guildhall.service')],
    {
      encoding: 'utf8',
    },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
