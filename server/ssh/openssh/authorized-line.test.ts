import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { authorizedLine } from './authorized-line'

it('authorizedLine returns a line that allows only the command', () => {
  expect(authorizedLine(['/usr/bin/node', '/srv/ssh-session.js', '--key', '3'], 'ssh-ed25519 AAAA')).toBe(
    'restrict,command="/usr/bin/node /srv/ssh-session.js --key 3" ssh-ed25519 AAAA',
  )
})

it('authorizedLine passes paths with spaces, quotes, and shell characters to the command unchanged', () => {
  const paths = ['/a b', `/it's`, '/say "hi"', '/$HOME/`x`', '/back\\slash\\"', '/ende*']
  const line = authorizedLine(['printf', '%s\\n', ...paths], 'ssh-ed25519 AAAA')
  const [, option = ''] = /^restrict,command="((?:[^"\\]|\\"|\\(?!"))*)" ssh-ed25519 AAAA$/.exec(line) ?? []
  const command = option.replaceAll('\\"', '"')
  expect(execFileSync('/bin/sh', ['-c', command]).toString()).toBe(`${paths.join('\n')}\n`)
  expect(() => authorizedLine(['/a\nb'], 'ssh-ed25519 AAAA')).toThrow('line break')
})
