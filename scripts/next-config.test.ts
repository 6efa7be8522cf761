import { expect, it } from 'vitest'
import config from '../next.config.mjs'
import { securityHeaders } from '../server/kernel/http/security-headers'

it('pages get the security headers that the API sends', async () => {
  const [everywhere] = (await config.headers?.()) ?? []
  expect(everywhere?.source).toBe('/:path*')
  const sent = everywhere?.headers.map(({ key, value }) => [key, value])
  expect(Object.fromEntries(sent ?? [])).toEqual(securityHeaders)
})

it('nobody can have pictures resized', () => {
  expect(config.images).toEqual({ unoptimized: true })
})
