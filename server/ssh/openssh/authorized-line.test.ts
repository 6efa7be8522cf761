import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { authorizedLine } from './authorized-line'

it('the line allows one command and nothing else', () => {
  expect(authorizedLine(['/usr/bin/node', '/srv/ssh-session.js', '--key', '3'], 'ssh-ed25519 AAAA')).toBe(
    'restrict,command="/usr/bin/node /srv/ssh-session.js --key 3" ssh-ed25519 AAAA',
  )
})

it('paths with spaces, quotes and signs of the shell reach the command as they are', () => {
  const paths = ['/a b', `/it's`, '/say "hi"', '/$HOME/`x`', '/back\\slash\\"', '/ende*']
  const line = authorizedLine(['printf', '%s\\n', ...paths], 'ssh-ed25519 AAAA')
  const [, option = ''] = /^restrict,command="((?:[^"\\]|\\"|\\(?!"))*)" ssh-ed25519 AAAA$/.exec(line) ?? []
  const command = option.replaceAll('\\"', '"')
  expect(execFileSync('/bin/sh', ['-c', command]).toString()).toBe(`${paths.join('\n')}\n`)
  expect(() => authorizedLine(['/a\nb'], 'ssh-ed25519 AAAA')).toThrow('line break')
})
