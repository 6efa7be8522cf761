import { unstable_doesMiddlewareMatch as passesProxy } from 'next/experimental/testing/server'
import { describe, expect, it } from 'vitest'
import { config } from '@/proxy'
import { findMount } from './mount'
import { mounts, table } from './mounts'

const rows = table.map(([{ name }, ...paths]) => [name, paths] as const)

const pages = [
  '/',
  '/ada',
  '/ada.b',
  '/acme/site',
  '/acme/site/settings',
  '/acme/site/info',
  '/acme/site/info/lfs.txt',
  '/healthz.b',
  '/api-docs',
  '/v2.b',
  '/twirps/site',
  '/-/sign-in',
  '/-/orgs/acme/teams',
  '/-/orgs/archive/teams',
  '/acme/archive',
  '/acme/archive/settings',
  '/acme/site/archive',
  '/acme/site/releases',
  '/acme/site/releases/latest',
  '/acme/site/releases/tag/v1',
  '/acme/site/releases/download/v1',
  '/acme/site/attachments',
  '/releases/attachments/1',
]

function mountOf(url: string): string | undefined {
  const [path = '', query] = url.split('?')
  return findMount(mounts, path, 'GET', query)?.name
}

describe('mounts', () => {
  it('have unique names, and each has example paths', () => {
    expect(new Set(mounts.map(({ name }) => name)).size).toBe(mounts.length)
    for (const [name, own] of rows) expect(own.length, name).toBeGreaterThan(0)
  })

  it.each(rows)('route the example paths of %s to it', (name, own) => {
    for (const path of own) expect(mountOf(path), path).toBe(name)
  })

  it('leave pages to Next', () => {
    for (const path of [...pages, '/api/docs', '/api/swagger']) expect(mountOf(path), path).toBeUndefined()
  })
})

describe('the page proxy', () => {
  const passes = (url: string): boolean => passesProxy({ config, url, nextConfig: {} })

  it.each(rows)('skips requests to %s, whose bodies it would truncate', (_, own) => {
    for (const path of own) expect(passes(path), path).toBe(false)
  })

  it('handles every page', () => {
    for (const path of [...pages, '/api/docs']) expect(passes(path), path).toBe(true)
  })
})
