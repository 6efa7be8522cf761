import { unstable_doesMiddlewareMatch as passesProxy } from 'next/experimental/testing/server'
import { describe, expect, it } from 'vitest'
import { config } from '@/proxy'
import { mounts } from './mounts'

/** Paths of every mount, by its name. */
const paths: Record<string, string[]> = {
  openapi: ['/api/v1/openapi.json'],
  rest: ['/api/v1', '/api/v1/', '/api/v1/user/keys', '/api/v1/repos/acme/site/branches/a/b'],
  trpc: ['/api/trpc', '/api/trpc/sessions.getCurrent'],
  health: ['/healthz', '/readyz', '/healthz/'],
  metrics: ['/metrics'],
  forms: ['/-/forms/sign-in', '/-/forms/sign-out'],
  avatars: ['/avatars/1', '/avatars/1/'],
  'keys-text': ['/ada.keys', '/ada.b.keys', '/-/user-keys/ada'],
  git: [
    '/acme/site/info/refs',
    '/acme/site.git/info/refs',
    '/acme/site.git/git-upload-pack',
    '/acme/site.git/git-receive-pack',
    '/acme/site.git/HEAD',
    '/acme/site.git/objects/info/packs',
    '/acme/site.git/objects/pack/pack-1.pack',
    '/acme/site.git/objects/00/11223344556677889900112233445566778899',
  ],
}

const pages = [
  '/',
  '/ada',
  '/ada.b',
  '/acme/site',
  '/acme/site/settings',
  '/acme/site/info',
  '/healthz.b',
  '/api-docs',
  '/-/sign-in',
  '/-/orgs/acme/teams',
]

const mountOf = (path: string): string | undefined => mounts.find(({ match }) => match(path))?.name

describe('the table of mounts', () => {
  it('has paths to be tested with for every mount, and no others', () => {
    expect(Object.keys(paths)).toEqual(mounts.map(({ name }) => name))
  })

  it.each(Object.entries(paths))('gives %s its paths', (name, own) => {
    for (const path of own) expect(mountOf(path), path).toBe(name)
  })

  it('leaves pages to Next', () => {
    for (const path of [...pages, '/api/docs']) expect(mountOf(path), path).toBeUndefined()
  })
})

describe('the proxy of pages', () => {
  const passes = (url: string): boolean => passesProxy({ config, url, nextConfig: {} })

  it.each(Object.entries(paths))('is passed by no request to %s, whose body it would cut off', (_, own) => {
    for (const path of own) expect(passes(path), path).toBe(false)
  })

  it('is passed by every page', () => {
    for (const path of [...pages, '/api/docs']) expect(passes(path), path).toBe(true)
  })
})
