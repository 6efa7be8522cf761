import { describe, expect, it } from 'vitest'
import { parseGitPath } from './git-path'

describe('parseGitPath', () => {
  it.each(['info/refs', 'git-upload-pack', 'git-receive-pack'])('parses %s with and without .git', part => {
    expect(parseGitPath(`/jo/tools.git/${part}`)).toMatchObject({
      names: { owner: 'jo', repo: 'tools' },
      base: '/jo/tools.git',
      part,
    })
    expect(parseGitPath(`/jo/tools/${part}`)).toMatchObject({
      names: { owner: 'jo', repo: 'tools' },
      base: '/jo/tools',
    })
  })

  it('decodes percent-encoded characters', () => {
    expect(parseGitPath('/%6ao/to%6fls.git/info/refs')?.names).toEqual({ owner: 'jo', repo: 'tools' })
  })

  it.each(['/%00/x.git', '/a%2f..%2fb/x.git', '/%zz/x.git', '/a/b%0a.git'])(
    'finds no repository in %s',
    base => {
      const names = Object.values(parseGitPath(`${base}/info/refs`)?.names ?? {})
      expect(names).toContain('')
    },
  )

  it.each(['HEAD', 'objects/info/packs', 'objects/ab/cdef0123', 'objects/pack/pack-1.idx'])(
    'marks %s as a path of clients without the smart protocol',
    part => expect(parseGitPath(`/jo/tools.git/${part}`)?.part).toBe('dumb'),
  )
})

it.each([
  '/',
  '/jo',
  '/jo/tools',
  '/jo/tools.git',
  '/jo/tools/info',
  '/jo/tools/settings',
  '/jo/info/refs',
  '/jo/tools/x/info/refs',
  '/jo/tools/objects',
  '/jo/tools/git-upload-archive',
])('parseGitPath leaves %s to the pages', path => expect(parseGitPath(path)).toBeUndefined())
