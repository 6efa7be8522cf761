import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkName, checkNewName } from './name'

const accepted = (name: string): boolean => {
  try {
    checkName(name)
    return true
  } catch {
    return false
  }
}

describe('an account name', () => {
  it.each([
    'a',
    'A1',
    '7',
    'ada-lovelace',
    'ada_lovelace',
    'ada.lovelace',
    'a-b_c.d',
    'x'.repeat(40),
    'user1',
    'keys',
    ...'admin users teams public new orgs repos register setup sign-in logout x.git x.wiki'.split(' '),
  ])('can be %s', name => {
    expect(accepted(name)).toBe(true)
  })

  it.each([
    '',
    ' ',
    '-a',
    'a-',
    '.a',
    'a.',
    '_a',
    'a_',
    'a--b',
    'a-.b',
    'a b',
    'ä',
    'a/b',
    'a\n',
    'a\0',
    'x'.repeat(41),
  ])('cannot be %j', name => {
    expect(() => checkName(name)).toThrow(`name is invalid [${name}]`)
  })

  it.each(
    [
      '.well-known api metrics v2 assets attachments avatar avatars repo-avatars captcha login org repo user explore',
      'issues pulls milestones notifications favicon.ico manifest.json robots.txt sitemap.xml ssh_info swagger.v1.json',
      'openapi3.v1.json ghost gitea-actions twirp healthz readyz',
    ].flatMap(words => words.split(' ')),
  )('cannot be %s, in any case, because the site or its clients use that path', name => {
    expect(accepted(name)).toBe(false)
    expect(accepted(name.toUpperCase())).toBe(false)
  })

  it.each(['ada.keys', 'ada.GPG', 'ada.rss', 'ada.atom', 'ada.png'])(
    'cannot be %s, because the path would look like a file',
    name => {
      expect(() => checkName(name)).toThrow(/^name pattern is not allowed \[pattern: \*\.\w+\]$/)
    },
  )

  it('never needs escaping in a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 50 }), name => {
        if (accepted(name)) expect(new URL(name, 'https://x/').pathname).toBe(`/${name}`)
      }),
    )
  })
})

it.each(['admin', 'Administrator', 'ROOT'])('only administrators can use the account name %s', name => {
  expect(() => checkNewName(name)).toThrow(`name is reserved [name: ${name}]`)
  expect(accepted(name)).toBe(true)
})
