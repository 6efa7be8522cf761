import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { shellWord } from '@/app/_lib/format'
import { fetchBranchCommand, fetchTagCommand } from './git-commands'

it.each(['main', 'release/2.0', 'v1.0-rc.1'])('shellWord does not quote %s', name => {
  expect(shellWord(name)).toBe(name)
})

it.each(['a b', 'x;touch pwned', '$(id)', '`id`', "it's", "''", 'a&b', '<>|*?!', '"', 'é', '#'])(
  'shellWord quotes %j so that a shell reads it as one word',
  name => {
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(name)}`]).toString()).toBe(name)
  },
)

it('the commands to fetch a branch or tag use the full ref name if its name begins with a dash, so that Git does not read it as an option', () => {
  expect(fetchBranchCommand('--upload-pack=x')).toBe('git fetch origin refs/heads/--upload-pack=x')
  expect(fetchTagCommand('-v')).toBe('git fetch origin refs/tags/-v')
})
