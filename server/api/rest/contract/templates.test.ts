import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { useSite } from '@/testing/site'

const site = useSite()

describe('GET /licenses', () => {
  it('returns 200 and all licenses with SPDX identifiers and the URLs of their texts', async () => {
    const { body } = await call(site, 'GET', '/licenses')
    const mit = { key: 'MIT', name: 'MIT', url: `${site.url}/api/v1/licenses/MIT` }
    expect(body).toContainEqual(mit)
    expect(body.map((license: { key: string }) => license.key)).toEqual(
      expect.arrayContaining(['Apache-2.0', 'GPL-3.0-only', 'AGPL-3.0-or-later', 'BSD-3-Clause', 'ISC']),
    )
    expect((await call(site, 'GET', '/licenses/MIT')).body).toEqual({
      ...mit,
      implementation: expect.stringContaining('LICENSE'),
      body: expect.stringMatching(/^MIT License\n\nCopyright \(c\) <year> <copyright holders>\n/),
    })
  })

  it('returns 404 for an unknown license', async () => {
    for (const name of ['none', 'constructor', '..%2Fspdx']) {
      expect((await call(site, 'GET', `/licenses/${name}`)).status).toBe(404)
    }
  })
})

describe('GET /gitignore/templates', () => {
  it('returns 200 and the names of all templates, each of which can be read', async () => {
    const { body: names } = await call(site, 'GET', '/gitignore/templates')
    expect(names).toEqual(
      expect.arrayContaining(['C++', 'Go', 'Java', 'Node', 'Python', 'Rust', 'VisualStudio']),
    )
    for (const name of names) {
      const { body } = await call(site, 'GET', `/gitignore/templates/${encodeURIComponent(name)}`)
      expect(body).toEqual({ name, source: expect.stringMatching(/^((# .+|\S+)\n|\n(?=#))+$/) })
      const entries = body.source.split('\n').filter((line: string) => line && !line.startsWith('#'))
      expect(entries).toEqual([...new Set(entries)])
    }
  })

  it('returns 404 for an unknown template', async () => {
    expect((await call(site, 'GET', '/gitignore/templates/constructor')).status).toBe(404)
  })
})
